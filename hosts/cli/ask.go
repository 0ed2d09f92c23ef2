package cli

import (
	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// ask searches, and shows the reply: as its bytes, or by show.
func (v *asking) ask(r *run, explain bool, show func(*answer)) error {
	request, err := v.request(r, explain)
	if err != nil {
		return err
	}
	v.needs(&v.meaning)
	o, err := v.open(r)
	if err != nil {
		return err
	}
	defer o.close()
	request.Documents = o.named(v.Document)
	if err := within(o.config, request); err != nil {
		return err
	}
	bytes, _, err := o.Search(r.ctx, request.Append(nil))
	if err != nil {
		return err
	}
	reply, err := readFound(bytes)
	if err != nil {
		return err
	}
	if v.JSON || v.Out != "" { // it may be replayed
		o.keep(r)
	}
	asJSON, err := r.store(v.Out, bytes, o.config.CorpusPath)
	switch {
	case err != nil:
		return err
	case asJSON || v.JSON:
		r.printJSON(bytes)
		if end := pastEnd(reply); end != "" {
			r.notice(end)
		}
	default:
		show(newAnswer(reply, len(bytes), o.Where))
	}
	if r.unwritten != nil {
		return nil
	}
	code := 0
	if reply.Verdict == abi.NoAnswer || len(reply.Hits) == 0 {
		code = 1
	}
	return v.end(o.less || len(reply.Degraded) > 0, code)
}

// store writes a reply to the file that a person named, if so. toStdout says that it is
// to be written to stdout, once and with nothing beside it.
func (r *run) store(path string, reply []byte, corpus string) (toStdout bool, err error) {
	switch {
	case path == "":
		return false, nil
	case r.isStdout(path):
		return true, nil
	}
	if err := mine(path, "a stored reply", isReply); err != nil {
		return false, err
	}
	return false, r.put(path, line(reply), corpus)
}

// within holds a request against the limits of this host.
func within(c *config.Config, q *abi.SearchRequest) error {
	if n, most := int64(abi.Units(q.Query)), c.MaxQueryLen; n > most {
		return abi.Errorf(abi.QueryTooLong, "the query has %d units, the limit is %d", n, most)
	}
	return nil
}
