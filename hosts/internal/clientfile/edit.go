package clientfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
)

// Entry is the name of our entry in every file.
const Entry = "rookhaven"

var mark = []byte("\xef\xbb\xbf") // a byte order mark, which some editors write

// Install returns a file's content with our entry in it. Members of the entry that
// we do not set, such as env, stay. An absent file has no content.
func (c *Client) Install(content []byte, cmd Command) ([]byte, error) {
	return c.edit(content, func(text string) (string, error) {
		if c.toml {
			return setTOML(text, c.keys[0], c.entry(cmd))
		}
		return setJSON(text, c.keys[0], c.entry(cmd))
	})
}

// Remove returns a file's content without our entry.
func (c *Client) Remove(content []byte) ([]byte, error) {
	return c.edit(content, func(text string) (string, error) {
		if c.toml {
			return removeTOML(text, c.keys[0])
		}
		return removeJSON(text, c.keys[0])
	})
}

// Snippet returns what Install writes into an empty file.
func (c *Client) Snippet(cmd Command) string {
	out, err := c.Install(nil, cmd)
	if err != nil {
		panic("clientfile: BUG: " + err.Error())
	}
	return string(out)
}

// edit changes the text of a file, with line feeds at its line ends, and checks
// that nothing but our entry changed.
func (c *Client) edit(content []byte, change func(string) (string, error)) ([]byte, error) {
	body, marked := bytes.CutPrefix(content, mark)
	windows := bytes.Contains(body, []byte("\r\n"))
	text := string(body)
	if windows {
		text = string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")))
	}
	before, err := c.rest(text)
	if err != nil {
		return nil, err
	}
	out, err := change(text)
	if err != nil {
		return nil, err
	}
	if out == text {
		return content, nil
	}
	after, err := c.rest(out)
	if err != nil || !reflect.DeepEqual(before, after) {
		return nil, errors.New("its form leaves no safe place for the entry")
	}
	edited := []byte(out)
	if windows {
		edited = bytes.ReplaceAll(edited, []byte("\n"), []byte("\r\n"))
	}
	if marked {
		edited = append(mark[:len(mark):len(mark)], edited...)
	}
	return edited, nil
}

// rest returns what a file says, but for our entry, and an object that only held
// it.
func (c *Client) rest(text string) (map[string]any, error) {
	parse := parseJSON
	if c.toml {
		parse = parseTOML
	}
	all, err := parse(text)
	if err != nil {
		return nil, err
	}
	switch entries := all[c.keys[0]].(type) {
	case nil:
		delete(all, c.keys[0])
	case map[string]any:
		delete(entries, Entry)
		if len(entries) == 0 {
			delete(all, c.keys[0])
		}
	default:
		return nil, fmt.Errorf("%q is not an object", c.keys[0])
	}
	return all, nil
}
