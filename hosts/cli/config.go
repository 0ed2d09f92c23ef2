package cli

import (
	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
)

type configVerb struct {
	Show configShow `cmd:"" help:"Show the settings."`
}

type configShow struct {
	Origin bool `help:"Also where each value comes from, its bound and the reason for it."`
	JSON   bool `help:"As JSON."`
	corpus
	limits
}

func (configShow) Help() string {
	return `A value comes from the first of these that has one: flag, environment, user file ($XDG_CONFIG_HOME/rookhaven/config.json, an object of the names below), default.

	rookhaven config show --origin
	ROOKHAVEN_MAX_RECALL=50 rookhaven config show --origin --json`
}

func (v *configShow) Run(r *run) error {
	c, err := r.config(v.corpus.given(), v.limits.given())
	if err != nil {
		return err
	}
	if v.JSON {
		return r.json(map[string]any{"settings": settings(c)})
	}
	for _, s := range settings(c) {
		value := terminal.Line(s.Value)
		if value == "" {
			value = "(none)"
		}
		if !v.Origin {
			r.printf("%-14s %s", s.Name, value)
			continue
		}
		origin := string(s.Origin)
		if s.Where != "" {
			origin += ", " + terminal.Line(s.Where)
		}
		r.printf("%-14s %s  (%s)", s.Name, value, origin)
		r.printf("               --%s or %s: %s", s.Flag, s.Env, s.Bound)
		r.printf("               %s", s.Reason)
	}
	return nil
}

type setting struct {
	Name   string        `json:"name"`
	Value  string        `json:"value"`
	Origin config.Origin `json:"origin"`
	Where  string        `json:"where,omitempty"`
	Flag   string        `json:"flag"`
	Env    string        `json:"env"`
	Bound  string        `json:"bound"`
	Reason string        `json:"reason"`
}

func settings(c *config.Config) []setting {
	var list []setting
	for _, v := range c.Values {
		s := v.Setting
		list = append(list, setting{s.Name, v.Text, v.Origin, v.Where, s.Flag, s.Env, s.Bound, s.Reason})
	}
	return list
}
