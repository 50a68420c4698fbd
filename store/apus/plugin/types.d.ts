/** The host's memory contract, as far as this plugin meets it, and the shapes of the bridge's protocol. */

export interface Logger {
  debug?(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface PluginConfig {
  command?: string[];
  store?: string;
  exportDir?: string;
  timeoutMs?: number;
  ownerReads?: boolean;
}

export type Audience =
  | { kind: "owner-private"; agentId: string }
  | { kind: "conversation"; agentId: string; sessionKey: string; sessionId: string };

export type Authority =
  | { kind: "operator"; scopes: string[]; connId?: string }
  | {
      kind: "session";
      sessionKey: string;
      sandboxed: boolean;
      sessionId?: string;
      audience?: Audience;
      conversationRecall?: unknown;
    }
  | { kind: "host"; operation: string };

export interface Context {
  authority: Authority;
  assertCurrent(): void;
  signal?: AbortSignal;
}

export interface OpenRequest {
  cfg?: unknown;
  agentId: string;
  context: Context;
  purpose?: "default" | "status" | "cli";
}

export interface Reference {
  providerId: string;
  id: string;
  revision?: string;
  fragment?: string;
}

export interface Citation {
  label: string;
  reference?: Reference;
  url?: string;
  startLine?: number;
  endLine?: number;
}

export interface Hit {
  reference: Reference;
  excerpt: string;
  score?: number;
  source?: Source;
  citations?: Citation[];
  automaticRecall?: {
    eligible: boolean;
    projectKeys?: string[];
    triggers?: string[];
    importance?: number;
  };
}

export type Source = "memory" | "sessions";
export type CandidateKind = "trigger" | "project";

export interface SearchRequest {
  query: string;
  maxResults?: number;
  minScore?: number;
  cursor?: string;
  sources?: Source[];
  lexicalOnly?: boolean;
  activeProjectKeys?: string[];
}

export interface SearchPage {
  hits: Hit[];
  nextCursor?: string;
  coverage?: "complete" | "partial";
  warning?: string;
}

export interface GetRequest {
  reference: Reference;
  from?: number;
  lines?: number;
}

export type GetResult =
  | {
      status: "ok";
      reference: Reference;
      text: string;
      citations?: Citation[];
      truncated?: boolean;
      from?: number;
      lines?: number;
      nextFrom?: number;
    }
  | { status: "not_found" };

export interface CandidatesRequest {
  kind: CandidateKind;
  limit?: number;
  activeProjectKeys?: string[];
}

export interface Health {
  status: "ready" | "degraded" | "unavailable";
  message?: string;
  details?: Record<string, unknown>;
}

export interface Capabilities {
  sources: Source[];
  pagination: boolean;
  candidates: CandidateKind[];
  projectFilter: boolean;
}

export interface Handle {
  capabilities: Capabilities;
  search(request: SearchRequest): Promise<SearchPage>;
  get(request: GetRequest): Promise<GetResult>;
  candidates(request: CandidatesRequest): Promise<SearchPage>;
  health(): Promise<Health>;
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderRuntime {
  open(request: OpenRequest): Promise<{ provider: Handle | null; error?: string }>;
  prepareReload(change?: { retireRuntime?: boolean }): { drain(): Promise<void>; resume(): void };
  closeMemorySearchManager(request: { cfg?: unknown; agentId: string }): Promise<void>;
  closeAllMemorySearchManagers(): Promise<void>;
}

export interface FlushRequest {
  cfg?: unknown;
  nowMs?: number;
  contextWindowTokens?: number;
}

export interface FlushPlan {
  prompt: string;
  systemPrompt: string;
  persistenceToolNames: string[];
  lookupToolNames?: string[];
  softThresholdTokens?: number;
  forceFlushTranscriptBytes?: number;
  reserveTokensFloor?: number;
  model?: string;
}

export interface PromptRequest {
  availableTools: Set<string>;
  citationsMode?: string;
  agentId?: string;
  agentSessionKey?: string;
  sandboxed?: boolean;
}

export interface Artifact {
  kind: string;
  workspaceDir: string;
  relativePath: string;
  absolutePath: string;
  agentIds: string[];
  contentType: "markdown" | "json" | "text";
}

export interface MemoryCapability {
  providerRuntime: ProviderRuntime;
  promptBuilder(request: PromptRequest): string[];
  recallToolNames: string[];
  providerFlushPlanResolver(request: FlushRequest): FlushPlan | null;
  publicArtifacts: { listArtifacts(request: { cfg?: unknown }): Promise<Artifact[]> };
}

/** What the host tells of the turn that calls a tool; the last four only newer hosts do. */
export interface ToolTurn {
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  senderIsOwner?: boolean;
  sandboxed?: boolean;
  workspaceDir?: string;
  memoryAudience?: Audience;
  memoryFlush?: { flushId: string };
  assertMemoryAudienceCurrent?(): void;
  assertInvocationCurrent?(): void;
}

export interface ToolResult {
  content: { type: "text"; text: string }[];
  details: Record<string, unknown>;
}

export interface Tool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  execute(id: string, params: unknown, signal?: AbortSignal, onUpdate?: unknown): Promise<ToolResult>;
}

export interface Service {
  id: string;
  start(context: unknown): void | Promise<void>;
  stop(context: unknown): void | Promise<void>;
}

export interface PluginApi {
  id?: string;
  pluginConfig?: unknown;
  logger: Logger;
  registerMemoryCapability(capability: MemoryCapability): void;
  registerTool(tool: (context: ToolTurn) => Tool, options: { name: string }): void;
  registerService(service: Service): void;
  lifecycle?: { onDispose?(dispose: () => void | Promise<void>): void };
}

/** How a request to the bridge ends in failure; see `errors.mjs`. */
export type FailureKind =
  | "invalid_argument"
  | "permission_denied"
  | "not_found"
  | "conflict"
  | "unavailable"
  | "too_large"
  | "cancelled"
  | "internal";

export interface CallOptions {
  /** Aborts the request: it is cancelled in the bridge too. */
  signals?: (AbortSignal | undefined)[];
  /** Called at the last moment before the request is written; what it throws ends the request unsent. */
  beforeSend?(): void;
}
