package text_test

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/core/text"
)

func ExampleCosine() {
	const question = "How do I deploy with Kubectl? 使用Kubectl部署"
	for t := range text.Cosine(question) {
		if !text.IsStop(t.Text) {
			fmt.Printf("%s from %q\n", t.Text, question[t.Start:t.End])
		}
	}
	// Output:
	// deploy from "deploy"
	// kubectl from "Kubectl"
	// 使用 from "使用"
	// kubectl from "Kubectl"
	// 部署 from "部署"
}

func ExampleStandard() {
	for t, at := range text.Standard("What's parseHTTP? 新幹線") {
		if at.Kind.IsWhole() || !text.IsStandardStop(t.Text) {
			fmt.Println(at.Position, t.Text)
		}
	}
	// Output:
	// 1 parsehttp
	// 1 parse
	// 2 http
	// 3 新幹
	// 4 幹線
	// 5 線
}
