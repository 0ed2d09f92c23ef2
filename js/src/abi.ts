/**
 * The messages of the module, version 1, in the order of `wasm/ABI.md`, which describes them.
 * `wasm/abi` lists the same messages in Go. This file holds types only: nothing of it runs.
 */

// §2 The exports

/** The exports in the order of their numbers. */
export type ExportNames = readonly [
  'abi', 'describe', 'open', 'close', 'decompose', 'plan', 'partial', 'merge', 'retrieve', 'replay',
];

export type ExportName = ExportNames[number];

// §3 Forms

/** A whole number of magnitude at most 2⁵³ − 1. */
export type Integer = number;

/** A whole number of nano-units (10⁻⁹) in a request, 0 … 10¹⁵ − 1. */
export type NanoUnits = number;

/** At most nine decimals, below 10⁶: a double holds it exactly as it is spelt. */
export type Score = number;

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = string;

/** A digest, or another string the host chose. */
export type Name = string;

// §3.1

export interface Document {
  id: string;
  text: string;
  title?: string;
  path?: string;
  collection?: string;
  key?: string;
}

// §3.2

/** One object per need: document id → nano-units; a document left out has 0. */
export type Scores = Record<string, NanoUnits>[];

export interface Request {
  query: string;
  recallBudget?: Integer;
  seed?: string;
  needs?: string[];
  profile?: string;
  representation?: 'each' | 'seed';
  fill?: boolean;
  explain?: boolean;
  text?: 'none' | 'snippet' | 'full';
  scores?: Scores;
  workLimit?: Integer;
}

/** A request with every default filled in. */
export interface ResolvedRequest extends Required<Omit<Request, 'needs' | 'scores'>> {
  needs?: string[];
  scores?: Scores;
}

// §3.3

/** What a reply calls its engine, model and vectors. */
export interface Names {
  engine: Name;
  model?: Name;
  vectors?: Name;
}

export interface Reply extends Names {
  schema: 1;
  corpus: Digest;
  request: ResolvedRequest;
  hits: Hit[];
  audit: Audit;
  verdict: 'answered' | 'no_answer';
  reason?: 'empty_corpus' | 'only_stop_words' | 'no_match';
  degraded: string[];
  omitted: Omitted;
  work: Work;
  digest: Digest;
}

export interface Hit {
  rank: Integer;
  id: string;
  chunk: Integer;
  doc: Digest;
  score: Score;
  needs: Pick[];
  fill?: boolean;
  title?: string;
  path?: string;
  collection?: string;
  text?: string;
  range?: Range;
  explain?: Place;
}

export interface Pick {
  index: Integer;
  rank: Integer;
  score: Score;
  explain?: Explain;
}

/** Where a hit's text stands in the document's, in UTF-16 code units. */
export interface Range {
  from: Integer;
  to: Integer;
  of: Integer;
}

export interface Place {
  key: Integer;
  rule: 'score' | 'key' | 'stableKey' | 'id' | 'last';
}

/** A score taken apart: the cosine's, or one that the caller gave. */
export type Explain = CosineExplain | GivenExplain;

export interface CosineExplain {
  dot: Integer;
  queryNorm: Integer;
  documentNorm: Integer;
  terms: TermProduct[];
}

export interface GivenExplain {
  given: NanoUnits;
}

export interface TermProduct {
  term: string;
  query: Integer;
  document: Integer;
  product: Integer;
}

export interface Audit {
  seed: string;
  query: string;
  recallBudget: Integer;
  subqueries: Subquery[];
}

export interface Subquery {
  index: Integer;
  text: string;
  weight: Integer;
  budget: Integer;
  matched: Integer;
  contributed: string[];
}

export interface Omitted {
  documents: Integer;
  slots: Integer;
}

export interface Work {
  chunks: Integer;
  needs: Integer;
  units: Integer;
}

// §4.1 abi

export interface Abi {
  abi: Integer;
}

// §4.2 describe

export interface Description {
  abi: Integer;
  unicode: string;
  exports: ExportName[];
  profiles: Profile[];
  limits: Record<string, Integer>;
  defaults: Omit<ResolvedRequest, 'query' | 'needs' | 'scores'>;
  codes: ModuleCode[];
}

export interface Profile {
  name: string;
  scorer: string;
  stopWords: Integer;
}

// §4.3 open

/** The id of a document and its digest. */
export type Leaf = [id: string, doc: Digest];

export interface OpenRequest extends Names {
  documents?: Document[];
  leaves?: Leaf[];
  list?: boolean;
}

export interface OpenReply {
  handle: Integer;
  corpus: Digest;
  documents: Integer;
  bytes: Integer;
  leaves?: Leaf[];
}

// §4.4 close

export interface CloseRequest {
  handle: Integer;
}

// §4.5 decompose

export interface Decomposition {
  request: ResolvedRequest;
  subqueries: Omit<Subquery, 'matched' | 'contributed'>[];
}

// §4.6 plan, partial, merge

/** A Plan. */
export interface InstancePlan {
  chunks: Integer;
}

/** A Partial. */
export interface PartialResult {
  candidates: Integer;
  documents: PartialDocument[];
  needs: PartialNeed[];
  unknown?: string[];
}

export interface PartialDocument {
  id: string;
  doc: Digest;
  key: string;
  title?: string;
  path?: string;
  collection?: string;
  text?: string;
  range?: Range;
}

export interface PartialNeed {
  index: Integer;
  matched: Integer;
  hits: PartialHit[];
}

export interface PartialHit {
  at: Integer;
  score: Score;
  explain?: Explain;
}

export interface PlanRequest {
  handle: Integer;
  request: Request;
}

export interface PartialRequest {
  handle: Integer;
  request: Request;
  plans: InstancePlan[];
}

export interface MergeRequest extends Names {
  corpus: Digest;
  request: Request;
  plans: InstancePlan[];
  partials: PartialResult[];
}

// §4.7 retrieve

export interface RetrieveRequest {
  handle: Integer;
  request: Request;
}

// §4.8 replay

export interface ReplayRequest {
  handle: Integer;
  reply: Reply;
  leaves?: Leaf[];
}

export type ReplayReply = Match | Mismatch | Unverifiable;

export interface Match {
  verdict: 'MATCH';
  digest: Digest;
}

export interface Mismatch {
  verdict: 'MISMATCH';
  at: string;
  stored?: string;
  replayed?: string;
}

export interface Unverifiable {
  verdict: 'UNVERIFIABLE';
  missing: 'engine' | 'model' | 'vectors' | 'corpus';
  stored?: Name;
  replayed?: Name;
  document?: string;
}

// §7 Failures

/** The codes an export can answer. Codes are added, never renamed. */
export type ModuleCode =
  | 'JSON_INVALID'
  | 'REQUEST_INVALID'
  | 'QUERY_EMPTY'
  | 'QUERY_TOO_LONG'
  | 'BUDGET_OUT_OF_RANGE'
  | 'NEEDS_INVALID'
  | 'SCORES_INVALID'
  | 'PROFILE_UNKNOWN'
  | 'CORPUS_INVALID'
  | 'HANDLE_UNKNOWN'
  | 'ROUNDS_INVALID'
  | 'REPLY_INVALID'
  | 'WORK_LIMIT'
  | 'CANCELLED'
  | 'OVER_BUDGET'
  | 'EXPORT_UNKNOWN';

/** The codes that hosts add. This package throws those marked with a star. */
export type HostCode =
  | 'ARGUMENT_UNKNOWN' // * an option has no such name
  | 'ARGUMENT_INVALID' // * an argument of a function is of another kind
  | 'CONFIG_INVALID'
  | 'CLIENT_FILE_REFUSED'
  | 'CORPUS_UNREADABLE'
  | 'CORPUS_TOO_LARGE'
  | 'FILE_UNREADABLE' // * a file or address cannot be read
  | 'FILE_UNWRITABLE'
  | 'STORAGE_FAILED'
  | 'DATA_LOCKED'
  | 'ENGINE_ABSENT' // * the engine was closed
  | 'ENGINE_UNKNOWN'
  | 'ENGINE_REFUSED' // * the module or its worker cannot start here
  | 'ENGINE_FAILED' // * the module trapped
  | 'ENGINE_STUCK'
  | 'INTERNAL';

export type Code = ModuleCode | HostCode;
