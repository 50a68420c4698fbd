package main

import (
	"context"
	"io/ioutil"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	hclog "github.com/hashicorp/go-hclog"
	plugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/structpb"

	hookpb "pluggableharness/hook/v1"
	kernelpb "pluggableharness/kernel/v1"
	memorypb "pluggableharness/memory/v1"
	toolpb "pluggableharness/tool/v1"
)

// The handshake that every category of plugin shares.
var handshake = plugin.HandshakeConfig{
	ProtocolVersion:  1,
	MagicCookieKey:   "PLUGGABLEHARNESS_AGENT_PLUGIN",
	MagicCookieValue: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
}

const callbackStream = 1

// A provider is a launched plugin with clients of all services that it may serve.
type provider struct {
	client    *plugin.Client
	conn      *grpc.ClientConn
	memory    memorypb.MemoryServiceClient
	tool      toolpb.ToolServiceClient
	hook      hookpb.HookSubscriberServiceClient
	callbacks *callbacks
	cmd       *exec.Cmd
	logs      *logBook
}

// grpcPlugin hands the connection of a dispensed plugin on, and serves the callbacks.
type grpcPlugin struct {
	plugin.NetRPCUnsupportedPlugin
	callbacks *callbacks
}

func (p *grpcPlugin) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

func (p *grpcPlugin) GRPCClient(_ context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (interface{}, error) {
	if p.callbacks != nil {
		go broker.AcceptAndServe(callbackStream, func(options []grpc.ServerOption) *grpc.Server {
			server := grpc.NewServer(options...)
			kernelpb.RegisterKernelCallbackServiceServer(server, p.callbacks)
			return server
		})
	}
	return conn, nil
}

var running []*provider
var homes []string

// freshHome makes an empty home directory that plugins launched from now on get.
func freshHome() string {
	home, err := ioutil.TempDir("", "host-home-")
	must(err)
	homes = append(homes, home)
	must(os.Setenv("HOME", home))
	return home
}

// storePath is where a provider keeps its store when nobody says otherwise.
func storePath() string {
	return filepath.Join(os.Getenv("HOME"), ".local", "share", "agent", "memory", "inbox.db")
}

// start launches a plugin binary and dispenses it.
func start(binary string, counting *callbacks) *provider {
	cmd := exec.Command(binary)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	started := attach(&plugin.ClientConfig{Cmd: cmd}, counting)
	started.cmd = cmd
	return started
}

// attach connects to what a configuration names: a command to launch, or a process that runs.
func attach(config *plugin.ClientConfig, counting *callbacks) *provider {
	logs := &logBook{}
	config.HandshakeConfig = handshake
	config.Plugins = plugin.PluginSet{"memory": &grpcPlugin{callbacks: counting}}
	config.AllowedProtocols = []plugin.Protocol{plugin.ProtocolGRPC}
	config.Logger = hclog.New(&hclog.LoggerOptions{Output: logs, Level: hclog.Trace, JSONFormat: true})
	client := plugin.NewClient(config)
	made := &provider{client: client, callbacks: counting, logs: logs}
	running = append(running, made)
	protocol, err := client.Client()
	must(err)
	must(protocol.Ping())
	dispensed, err := protocol.Dispense("memory")
	must(err)
	made.conn = dispensed.(*grpc.ClientConn)
	made.memory = memorypb.NewMemoryServiceClient(made.conn)
	made.tool = toolpb.NewToolServiceClient(made.conn)
	made.hook = hookpb.NewHookSubscriberServiceClient(made.conn)
	return made
}

// ready launches the memory provider on a fresh store, in the order that hosts have.
func ready(attributes map[string]interface{}) *provider {
	freshHome()
	return introduced(start(*memoryBinary, &callbacks{}), attributes)
}

func introduced(p *provider, attributes map[string]interface{}) *provider {
	_, err := p.memory.Describe(short(), &memorypb.DescribeRequest{})
	must(err)
	_, err = p.memory.GetCapabilities(short(), &memorypb.GetCapabilitiesRequest{})
	must(err)
	config, err := structpb.NewStruct(attributes)
	must(err)
	_, err = p.memory.Configure(short(), &memorypb.ConfigureRequest{Config: config})
	must(err)
	return p
}

// leaveAll ends what a check left running, and forgets its homes.
func leaveAll() {
	for _, each := range running {
		each.client.Kill()
	}
	running = nil
	for _, home := range homes {
		os.RemoveAll(home)
	}
	homes = nil
}

// short is a deadline for a call that should not take long.
func short() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	time.AfterFunc(20*time.Second, cancel)
	return ctx
}
