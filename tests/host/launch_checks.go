package main

import (
	"io/ioutil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	commonpb "pluggableharness/common/v1"
	memorypb "pluggableharness/memory/v1"
	toolpb "pluggableharness/tool/v1"
)

var launchChecks = []check{
	{"launch, ping, dispense, describe", func() {
		freshHome()
		p := start(*memoryBinary, nil)
		answer, err := p.memory.Describe(short(), &memorypb.DescribeRequest{})
		must(err)
		equal("name", answer.Producer.Name, "memory-inbox")
		equal("category", answer.Producer.Category, commonpb.Category_CATEGORY_MEMORY)
		equal("protocol version", answer.Producer.ProtocolVersion, 1)
	}},
	{"capabilities", func() {
		freshHome()
		p := start(*memoryBinary, nil)
		answer, err := p.memory.GetCapabilities(short(), &memorypb.GetCapabilitiesRequest{})
		must(err)
		offer := answer.Capabilities
		equal("budget", offer.DefaultTokenBudget, 2000)
		equal("types", len(offer.SupportedTypes), 4)
		equal("scopes", len(offer.SupportedScopes), 3)
		that(offer.RatificationSupported, "ratification is not offered")
		equal("commands", offer.SlashCommands[0].Name+" "+offer.SlashCommands[1].Name, "remember recall")
		equal("hooks", offer.SupportedHookPoints, []commonpb.HookPoint{
			commonpb.HookPoint_HOOK_POINT_POST_MODEL_RESPONSE, commonpb.HookPoint_HOOK_POINT_SESSION_END})
		names := []string{}
		for _, attribute := range offer.ConfigSchema.Attributes {
			names = append(names, attribute.Name)
			equal(attribute.Name+" is sensitive", attribute.Sensitive, attribute.Name == "store_password")
			that(!attribute.Required, "%s is required", attribute.Name)
		}
		equal("attributes", strings.Join(names, " "), "store store_password project_root token_budget ratification reviewer")
	}},
	{"category probe: seven launches, memory found", func() {
		home := freshHome()
		found := probe(*memoryBinary)
		equal("answered", strings.Join(found, " "), "memory")
		equal("left behind", listing(home), "")
	}},
	{"category probe of the tools: seven launches, tool found", func() {
		home := freshHome()
		found := probe(*toolsBinary)
		equal("answered", strings.Join(found, " "), "tool")
		equal("left behind", listing(home), "")
	}},
	{"twenty launches and kills leave nothing", func() {
		home, temporary := freshHome(), temporaryDirectory()
		defer os.Unsetenv("TMPDIR")
		for i := 0; i < 20; i++ {
			p := start(*memoryBinary, nil)
			p.client.Kill()
			equal("exit code", p.cmd.ProcessState.ExitCode(), 0)
		}
		equal("home", listing(home), "")
		equal("temporary directory", strings.Replace(listing(temporary), filepath.Base(home), "", 1), "")
	}},
	{"stdout has the handshake line and nothing else", func() {
		freshHome()
		cmd := exec.Command(*memoryBinary)
		cmd.Env = append(os.Environ(), handshake.MagicCookieKey+"="+handshake.MagicCookieValue)
		stdout, err := cmd.StdoutPipe()
		must(err)
		must(cmd.Start())
		first := make([]byte, 4096)
		n, err := stdout.Read(first)
		must(err)
		must(cmd.Process.Signal(syscall.SIGTERM))
		rest, err := ioutil.ReadAll(stdout)
		must(err)
		must(cmd.Wait())
		fields := strings.Split(strings.TrimSuffix(string(first[:n]), "\n"), "|")
		equal("fields", len(fields), 6)
		equal("line", strings.Join(append(fields[:3:3], fields[4:]...), "|"), "1|1|unix|grpc|")
		equal("after it", string(rest), "")
	}},
	{"stdout stays clean while all services work", func() {
		p := ready(nil)
		remembered(p, "Something")
		p.client.Kill()
		that(!strings.Contains(p.logs.String(), "unexpected"), "the host complained: %s", p.logs)
	}},
	{"the tools describe themselves as tools and serve no memory", func() {
		freshHome()
		p := start(*toolsBinary, nil)
		answer, err := p.tool.Describe(short(), &toolpb.DescribeRequest{})
		must(err)
		equal("category", answer.Producer.Category, commonpb.Category_CATEGORY_TOOL)
		_, err = p.memory.Describe(short(), &memorypb.DescribeRequest{})
		equal("memory", status.Code(err), codes.Unimplemented)
	}},
}

// probe launches a binary once for each category, as a host does that does not know it, and returns the
// categories whose Describe it answers.
func probe(binary string) []string {
	found := []string{}
	for _, category := range []string{"model", "tool", "context", "memory", "frontend", "widget", "slashcommand"} {
		p := start(binary, nil)
		method := "/pluggableharness." + category + ".v1." + strings.ToUpper(category[:1]) + category[1:] + "Service/Describe"
		// Every category's request is empty, and the answers have one form.
		err := p.conn.Invoke(short(), method, &memorypb.DescribeRequest{}, &memorypb.DescribeResponse{})
		if err == nil {
			found = append(found, category)
		} else {
			equal(category, status.Code(err), codes.Unimplemented)
		}
		p.client.Kill()
		equal("exit code", p.cmd.ProcessState.ExitCode(), 0)
	}
	return found
}

func temporaryDirectory() string {
	directory, err := ioutil.TempDir("", "t")
	must(err)
	homes = append(homes, directory)
	must(os.Setenv("TMPDIR", directory))
	return directory
}

// listing names all that is below a directory.
func listing(root string) string {
	names := []string{}
	must(filepath.Walk(root, func(path string, _ os.FileInfo, err error) error {
		if path != root {
			names = append(names, filepath.Base(path))
		}
		return err
	}))
	return strings.Join(names, " ")
}
