/**
 * The messages of the module, version 1, in the order of `wasm/ABI.md`, which describes them.
 * `wasm/abi` lists the same messages in Go. This file holds types only: nothing of it runs.
 */

// §2 The exports

/** The exports in the order of their numbers. */
export type ExportNames = readonly [
  'abi', 'describe', 'open', 'close', 'decompose', 'plan', 'partial', 'merge', 'retrieve', 'replay',
  'search', 'search_plan', 'search_statistics', 'search_partial', 'search_merge', 'build', 'compact', 'remove', 'documents',
  'open_model', 'close_model', 'embed',
  'chunk_texts', 'pack_vectors', 'attach_vectors', 'statistics',
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
  /** Required unless there are blocks. */
  text?: string;
  blocks?: Block[];
  title?: string;
  path?: string;
  collection?: string;
  key?: string;
  metadata?: Metadata;
}

/** What JSON can say. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** What filters ask about. */
export type Metadata = Record<string, Value>;

/** One piece of a document that was read from another format. */
export type Block = (HeadingBlock | TextBlock | CodeBlock | ListBlock | TableBlock | ImageBlock | PageBreak) & { location?: Location };

export interface HeadingBlock {
  type: 'heading';
  /** 1 to 6. */
  level: Integer;
  text: string;
}

export interface TextBlock {
  type: 'paragraph' | 'quote' | 'note' | 'meta';
  text: string;
}

export interface CodeBlock {
  type: 'code';
  text: string;
  language?: string;
}

export interface ListBlock {
  type: 'list';
  ordered: boolean;
  items: string[];
}

export interface TableBlock {
  type: 'table';
  headers?: string[];
  rows: string[][];
}

export interface ImageBlock {
  type: 'image';
  alt: string;
}

export interface PageBreak {
  type: 'pageBreak';
}

/** Where in its source a block stands: pages, slides and lines from 1, characters as UTF-16 code units from 0. */
export interface Location {
  pageStart?: Integer;
  pageEnd?: Integer;
  slide?: Integer;
  sheet?: string;
  cellRange?: string;
  section?: string;
  charStart?: Integer;
  charEnd?: Integer;
  lineStart?: Integer;
  lineEnd?: Integer;
  /** In 1/100 pt from the upper left corner of the page. */
  boundingBox?: [left: Integer, top: Integer, right: Integer, bottom: Integer];
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
  /** Of the profiles that rank by an index: `hybrid` where that has vectors or they are being made, else `lexical`. */
  mode?: 'lexical' | 'vector' | 'semantic' | 'hybrid';
  /** In `hybrid` only. */
  fusion?: 'sum' | 'rrf';
  representation?: 'each' | 'seed';
  fill?: boolean;
  explain?: boolean;
  text?: 'none' | 'snippet' | 'full';
  scores?: Scores;
  workLimit?: Integer;
}

/** A request with every default filled in. */
export interface ResolvedRequest extends Required<Omit<Request, 'needs' | 'scores' | 'mode' | 'fusion'>> {
  mode?: 'lexical' | 'vector' | 'hybrid';
  fusion?: 'sum' | 'rrf';
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
  /** Of the index, with a profile that ranks by one. */
  settings?: ResolvedSettings;
  request: ResolvedRequest;
  hits: Hit[];
  audit: Audit;
  verdict: 'answered' | 'weak' | 'no_answer';
  reason?: 'below_evidence' | 'empty_corpus' | 'only_stop_words' | 'no_match';
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
  tier?: Integer;
  needs: Pick[];
  fill?: boolean;
  title?: string;
  path?: string;
  collection?: string;
  headings?: string[];
  lines?: Lines;
  frontMatter?: FrontLine[];
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

/** Where a hit's text stands in the document's or the chunk's, in UTF-16 code units. */
export interface Range {
  from: Integer;
  to: Integer;
  of: Integer;
}

/** The first and the last line of a chunk in its document. */
export interface Lines {
  from: Integer;
  to: Integer;
}

export interface Place {
  key: Integer;
  rule: Rule;
}

/** What puts a hit above the next. */
export type Rule = 'tier' | 'score' | 'key' | 'stableKey' | 'id' | 'chunk' | 'last';

/** A score taken apart: the cosine's, that of an index, or one that the caller gave. */
export type Explain = CosineExplain | PartsExplain | GivenExplain;

export interface CosineExplain {
  dot: Integer;
  queryNorm: Integer;
  documentNorm: Integer;
  terms: TermProduct[];
}

export interface PartsExplain {
  /** Where the vector leg took part. */
  legs?: Leg[];
  parts: Part[];
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
  /** Of a need with a slot, with a profile that ranks by an index. */
  verdict?: 'answered' | 'weak' | 'no_answer';
  /** Of an external model: base64 of one signed byte for each component. */
  queryVector?: string;
}

export interface Omitted {
  documents: Integer;
  slots: Integer;
  /** How many passages a leg brings up at most, where more may match. */
  pool?: Integer;
}

export interface Work {
  chunks: Integer;
  needs: Integer;
  vectors?: Integer;
  units: Integer;
}

// §3.4 Settings of an index

/** How documents become chunks and chunks become terms. */
export interface Settings {
  chunks?: 'auto' | 'whole';
  target?: Integer;
  min?: Integer;
  max?: Integer;
  overlap?: Integer;
  language?: string;
}

/** Settings with every default filled in. */
export type ResolvedSettings = Required<Settings>;

// §3.5 SearchRequest

export interface SearchRequest {
  query: string;
  profile?: 'standard' | 'journal';
  /** `hybrid` where the index has vectors or they are being made, else `lexical`. */
  mode?: 'lexical' | 'vector' | 'semantic' | 'hybrid';
  /** In `hybrid` only. */
  fusion?: 'sum' | 'rrf';
  match?: 'any' | 'exactThenFallback';
  limit?: Integer;
  offset?: Integer;
  cursor?: string;
  seed?: string;
  filters?: Filters;
  collections?: string[];
  documents?: string[];
  collapse?: 'none' | 'document';
  expand?: Expand;
  explain?: boolean;
  text?: 'none' | 'snippet' | 'full';
  typos?: boolean;
  abstain?: boolean;
  count?: boolean;
  minEvidence?: Integer;
  budget?: Integer;
  workLimit?: Integer;
}

export interface Expand {
  type?: 'none' | 'neighbors' | 'section' | 'document';
  before?: Integer;
  after?: Integer;
}

/** The members of a SearchRequest that have no default. */
type WithoutDefault = 'cursor' | 'seed' | 'filters' | 'collections' | 'documents' | 'budget' | 'fusion';

/** A SearchRequest with every default filled in, and an offset in place of a cursor. */
export interface ResolvedSearch extends Required<Omit<SearchRequest, WithoutDefault | 'expand' | 'mode'>> {
  mode: 'lexical' | 'vector' | 'hybrid';
  fusion?: 'sum' | 'rrf';
  seed?: string;
  filters?: Filters;
  collections?: string[];
  documents?: string[];
  budget?: Integer;
  expand: Required<Expand>;
}

// §3.6 SearchReply

export interface SearchReply extends Names {
  schema: 1;
  corpus: Digest;
  settings: ResolvedSettings;
  request: ResolvedSearch;
  hits: Found[];
  total?: Integer;
  totalReason?: 'not_counted';
  corrected: Correction[];
  /** Of an external model: base64 of one signed byte for each component. */
  queryVector?: string;
  verdict: 'answered' | 'weak' | 'no_answer';
  reason?: 'empty_corpus' | 'filtered_out' | 'no_words' | 'only_stop_words' | 'no_match' | 'below_evidence';
  evidence: Evidence;
  degraded: string[];
  omitted: OmittedHits;
  work: SearchWork;
  unmet?: Unmet;
  cursor?: string;
  digest: Digest;
}

/** What a request restricts hits to and no live document meets. */
export interface Unmet {
  fields?: string[];
  collections?: string[];
  documents?: string[];
}

/** A word of the query that does not occur, and the one that was searched instead. */
export interface Correction {
  from: string;
  to: string;
}

/** What the verdict rests on. */
export interface Evidence {
  asked: Score;
  passage: Score;
  together: Score;
  score: Score;
  most: Score;
  /** The best, where the vector leg took part. */
  cosine?: Score;
  missing: string[];
}

/** How many hits of the page `abstain` or `budget` left out. */
export interface OmittedHits {
  hits: Integer;
  /** With the last page, where each leg brings up so much at most and more may match. */
  pool?: Integer;
}

export interface SearchWork {
  chunks: Integer;
  postings: Integer;
  /** Where the vector leg took part. */
  vectors?: Integer;
  units: Integer;
}

/** A chunk with what a reply says of it. */
export interface Passage {
  id: string;
  chunk: Integer;
  doc: Digest;
  title?: string;
  path?: string;
  collection?: string;
  metadata?: Metadata;
  headings?: string[];
  lines: Lines;
  text?: string;
  range?: Range;
  /** Of the first chunk: lines before it that hold something asked for. */
  frontMatter?: FrontLine[];
  context?: Context;
  chunks?: Integer;
  matchedHeadings?: string[];
}

/** A line of a document's front matter. */
export interface FrontLine {
  line: Integer;
  text: string;
}

/** The text around a hit: the chunks `from` to `to` of its document. */
export interface Context {
  from: Integer;
  to: Integer;
  text: string;
}

/** A hit of a SearchReply. */
export interface Found extends Passage {
  rank: Integer;
  tier?: Integer;
  score: Score;
  /** From 0 to 1: how near the score comes to the most that the query can reach. */
  evidence: Score;
  words: string[];
  explain?: FoundExplain;
}

export interface FoundExplain extends Place {
  /** Where the vector leg took part. */
  legs?: Leg[];
  parts: Part[];
}

/** What one leg adds to a score: the shares of all add up to it. */
export interface Leg {
  leg: 'lexical' | 'vector';
  /** In the leg; absent where it did not bring the hit up. */
  rank?: Integer;
  score: Score;
  share: Score;
}

/** What one term adds to a score. */
export interface Part {
  text: string;
  form: 'exact' | 'stem' | 'prefix' | 'phrase';
  count: Integer;
  length: Integer;
  live: Integer;
  weight: Score;
  score: Score;
}

// §3.7 Filters

/** From a field, a path of names with dots between, to what is asked of it. */
export type Filters = Record<string, Scalar | Condition>;

export type Scalar = null | boolean | number | string;

/** All of its operators must hold. */
export interface Condition {
  eq?: Scalar;
  neq?: Scalar;
  in?: Scalar[];
  exists?: boolean;
  gt?: number | string;
  gte?: number | string;
  lt?: number | string;
  lte?: number | string;
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
  languages: string[];
  limits: Record<string, Integer>;
  defaults: Omit<ResolvedRequest, 'query' | 'needs' | 'scores'>;
  searchDefaults: Omit<ResolvedSearch, 'query' | 'mode' | WithoutDefault>;
  settings: ResolvedSettings;
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
  segments?: Segment[];
  /** Of each segment, the numbers of the documents that are left out, ascending. */
  removed?: Integer[][];
  settings?: Settings;
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
  /** Of each need with a slot, with a profile that ranks by an index. */
  lexical?: SearchPlan[];
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
  place?: ChunkPlace;
}

/** Where in its document a chunk stands. */
export interface ChunkPlace {
  frontMatter?: FrontLine[];
  chunk: Integer;
  headings: string[];
  lines: Lines;
}

export interface PartialNeed {
  index: Integer;
  matched: Integer;
  hits: PartialHit[];
}

export interface PartialHit {
  at: Integer;
  tier?: Integer;
  score: Score;
  /** In nano-units, where the vector leg takes part. */
  cosine?: Integer;
  /** The vector leg ranks it. */
  near?: boolean;
  units?: Integer[];
  explain?: Explain;
}

export interface PlanRequest {
  handle: Integer;
  request: Request;
  /** Of each need with a slot: base64 of one signed byte for each component. */
  queryVectors?: string[];
}

export interface StatisticsRequest extends PlanRequest {
  plans: InstancePlan[];
}

/** Of each need with a slot, with a profile that ranks by an index. */
export interface InstanceStatistics {
  needs: SearchStatistics[];
}

export interface PartialRequest extends StatisticsRequest {
  /** With a profile that ranks by an index. */
  statistics?: InstanceStatistics[];
}

export interface MergeRequest extends Names {
  corpus: Digest;
  settings?: Settings;
  request: Request;
  queryVectors?: string[];
  plans: InstancePlan[];
  statistics?: InstanceStatistics[];
  partials: PartialResult[];
}

// §4.7 retrieve

export interface RetrieveRequest {
  handle: Integer;
  request: Request;
  /** As in a PlanRequest; without them the open model makes them. */
  queryVectors?: string[];
}

// §4.8 replay

export interface ReplayRequest {
  handle: Integer;
  reply: Reply | SearchReply;
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

// §4.9 search

export interface SearchCall {
  handle: Integer;
  search: SearchRequest;
  /** Base64 of one signed byte for each component. */
  queryVector?: string;
}

// §4.10 search_plan, search_statistics, search_partial, search_merge

export interface SearchPlan {
  documents: Integer;
  chunks: Integer;
  title: Integer;
  heading: Integer;
  body: Integer;
  all: Integer;
  counts: Integer[];
  unknown: UnknownWord[];
  vectorSet?: VectorSet;
}

/** Which vectors an index has. */
export interface VectorSet {
  model?: Digest;
  external: boolean;
  dimensions: Integer;
  background?: Integer;
  absent?: 'vectors:building' | 'vectors:corrupt';
}

export interface SearchStatistics {
  /** There are several quoted phrases, and no passage here has all. */
  apart?: boolean;
  corrected: CorrectedWord[];
  /** The passages by the number of signs in which they differ from the query. */
  histogram?: Integer[];
}

/** What a unit of the query that occurs nowhere is taken for. */
export interface CorrectedWord {
  unit: Integer;
  text: string;
  live: Integer;
  stem: Integer;
}

/** A unit of the query that does not occur, with the terms it may have been meant as. */
export interface UnknownWord {
  unit: Integer;
  terms: CandidateTerm[];
}

export interface CandidateTerm {
  text: string;
  distance: Integer;
  live: Integer;
}

export interface SearchPartial {
  hits: PartialFound[];
  matched: Integer;
  passed: Integer;
  unmet?: Unmet;
}

export interface PartialFound extends Passage {
  key: string;
  tier: Integer;
  score: Score;
  /** In nano-units, where the vector leg takes part. */
  cosine?: Integer;
  /** The vector leg ranks it. */
  near?: boolean;
  units: Integer[];
  parts?: Part[];
}

export interface SearchPlanRequest extends SearchCall {
  corpus: Digest;
}

export interface SearchStatisticsRequest extends SearchPlanRequest {
  plans: SearchPlan[];
}

export interface SearchPartialRequest extends SearchStatisticsRequest {
  statistics: SearchStatistics[];
}

export interface SearchMergeRequest extends Names {
  corpus: Digest;
  settings: Settings;
  search: SearchRequest;
  queryVector?: string;
  plans: SearchPlan[];
  statistics: SearchStatistics[];
  partials: SearchPartial[];
}

// §4.11 build, compact

/** Bytes in the module's memory, or in the message itself. */
export type Segment = SegmentPlace | SegmentBytes;

export interface SegmentPlace {
  address: Integer;
  size: Integer;
}

export interface SegmentBytes {
  base64: string;
}

export interface BuildRequest {
  documents: Document[];
  settings?: Settings;
  inline?: boolean;
}

export interface CompactRequest {
  handle: Integer;
  inline?: boolean;
}

export interface BuildReply {
  segment: Segment;
  documents: Integer;
  chunks: Integer;
  terms: Integer;
  /** Bytes of documents in the segment. */
  stored: Integer;
}

// §4.12 remove

export interface RemoveRequest {
  handle: Integer;
  ids: string[];
}

export interface RemoveReply {
  removed: Integer[][];
  unknown: string[];
}

// §4.13 documents

/** A page of all documents, or those with `ids`. */
export type DocumentsRequest = DocumentsPage | DocumentsByID;

export interface DocumentsPage {
  handle: Integer;
  /** Only ids that come after it, by their bytes. */
  after?: string;
  /** 1 to 10,000; 100 where it is absent. */
  limit?: Integer;
}

export interface DocumentsByID {
  handle: Integer;
  /** At most 10,000; those that are not there are passed over. */
  ids: string[];
}

/** Documents in the order of their ids' bytes, and whether others that were asked for follow. */
export interface DocumentsReply {
  documents: Document[];
  more: boolean;
}

// §4.14 open_model, embed

export interface OpenModelRequest {
  model: Segment;
}

export interface OpenModelReply {
  /** The cosine of texts that have nothing to do with each other, in thousandths. */
  background: Integer;
  /** For people. */
  name: string;
  /** Of the file: its name everywhere else. */
  digest: Digest;
  /** Components of a vector. */
  dimensions: Integer;
  /** How many tokens are read together. */
  window: Integer;
  /** What the module accounts for. */
  bytes: Integer;
}

export interface EmbedRequest {
  /** At most 1,024. */
  texts: string[];
  /** Whether they are queries; false where it is absent. */
  query?: boolean;
}

export interface EmbedReply {
  /** Of each text, base64 of one signed byte for each component. */
  vectors: string[];
  /** Of each text, how many tokens it has. */
  tokens: Integer[];
}

// §4.15 chunk_texts, pack_vectors, attach_vectors

export interface ChunkTextsRequest {
  handle: Integer;
  /** The number of a segment. */
  part?: Integer;
  /** The first chunk. */
  from?: Integer;
}

export interface ChunkTextsReply {
  /** Segments. */
  parts: Integer;
  /** Of this segment. */
  chunks: Integer;
  texts: string[];
}

export interface PackVectorsRequest {
  handle: Integer;
  part?: Integer;
  model: Digest;
  dimensions: Integer;
  /** As open_model says of the model. */
  background?: Integer;
  /** All vectors one after the other, a signed byte for each component. */
  components: Segment;
  external?: boolean;
  inline?: boolean;
}

export interface PackVectorsReply {
  vectors: Segment;
}

export interface AttachVectorsRequest {
  handle: Integer;
  /** Of each segment, or none. */
  vectors: Segment[];
  /** With none, why. */
  absent?: 'vectors:building' | 'vectors:corrupt';
}

export interface AttachVectorsReply {
  model?: Digest;
  external: boolean;
  dimensions: Integer;
  vectors: Integer;
  bytes: Integer;
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
  | 'EXPORT_UNKNOWN'
  | 'SETTINGS_INVALID'
  | 'INDEX_ABSENT'
  | 'FILTER_INVALID'
  | 'CURSOR_INVALID'
  | 'CURSOR_STALE'
  | 'SEGMENT_CORRUPT'
  | 'SEGMENT_VERSION'
  | 'MODEL_CORRUPT'
  | 'MODEL_VERSION'
  | 'MODEL_ABSENT'
  | 'VECTORS_CORRUPT'
  | 'VECTORS_VERSION';

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
