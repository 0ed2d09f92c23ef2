module github.com/rookhaven-project/rookhaven

go 1.27.0
