import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { MemoryDatabase } from "../database/memory-database.js";
import { daysIn } from "../documents/day.js";
import type { Documents } from "../documents/documents.js";
import type { CodeBlocks } from "../embeddings/code-blocks.js";
import type { EmbeddingQueue, QueryVector } from "../embeddings/embedding-queue.js";
import { InvalidParameterError } from "../errors.js";
import type { Owner } from "../owner.js";
import { filterCondition, type SearchFilter } from "./filter.js";
import { searchText, weighTerms } from "./full-text.js";
import { datePhrases, termsOf, type WeightedTerm } from "./query-terms.js";
import { type Findings, type RankingOptions, rank, type SearchHit } from "./ranking.js";
import { similaritiesOf } from "./similarity.js";
import { demoteSuperseded } from "./supersession.js";
import { searchVectors } from "./vector-search.js";

/** Number of candidates of each of the two searches (MEM-012). */
const CANDIDATES = 50;
export const DEFAULT_LIMIT = 10;
export const MAXIMUM_LIMIT = 50;

/** Values found with the part of the labelled set for tuning, in `bench`. */
const DEFAULT_RANKING: RankingOptions = {
  rankConstant: 10,
  compared: 50,
  matchWeight: 0.7,
  similarityWeight: 0.3,
  fusionWeight: 0.05,
  minimumSimilarity: 0,
  minimumScore: 0,
  recency: 0.02,
};

/** A search in the documents of an owner. */
export interface SearchRequest extends SearchFilter {
  readonly query: string;
  /** Maximum number of hits, from 1 to 50; default 10. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Values that replace those of the memory. */
  readonly ranking?: Partial<RankingOptions> | undefined;
}

/** Result of a search. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Searches that were made. */
  readonly mode: "hybrid" | "full-text" | "vectors" | "none";
  /** Name of the model of the similarities; undefined when no vectors were searched. */
  readonly model?: string | undefined;
  /** Terms of the query that full text was searched for. */
  readonly terms: readonly WeightedTerm[];
  /** Sentences that say which search was not made, and why. */
  readonly notes: readonly string[];
}

/** Dependencies of {@link Search}. */
export interface SearchDependencies {
  readonly database: MemoryDatabase;
  readonly documents: Pick<Documents, "ownerId">;
  /** Vectors; without it only full text is searched. */
  readonly embeddings: Pick<EmbeddingQueue, "embedQuery" | "wordVectors"> | undefined;
  readonly ranking?: Partial<RankingOptions> | undefined;
  /** Codes of vectors; undefined for a database that orders vectors itself. */
  readonly codes?: CodeBlocks | undefined;
}

/** Hybrid search (MEM-012 to MEM-016). */
export class Search {
  readonly #dependencies: SearchDependencies;

  constructor(dependencies: SearchDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Searches the documents of an owner. A search that fails is left out and named in the notes; the other one answers.
   * @param owner - user and agent
   * @param request - query, limit and filter
   * @throws InvalidParameterError for a wrong parameter; no other error
   */
  async search(owner: Owner, request: SearchRequest): Promise<SearchResult> {
    const limit = checkedLimit(request.limit);
    const { database, documents } = this.#dependencies;
    const notes: string[] = [];
    // Checked before anything is searched, because a wrong parameter is the caller's to correct.
    filterCondition(request, database, owner.user, 1);
    let found: Awaited<ReturnType<Search["find"]>>;
    let id: number | undefined;
    try {
      id = await documents.ownerId(owner);
      if (id === undefined || request.query.trim() === "")
        return { hits: [], mode: "none", terms: [], notes };
      found = await this.find(owner, id, request, notes);
    } catch (error) {
      notes.push(`nothing was searched: ${errorMessage(error)}`);
      return { hits: [], mode: "none", terms: [], notes };
    }
    const ranking = this.#ranking(request);
    const ranked = await rank(found, ranking);
    const hits = await demoteSuperseded(database, ranked);
    const modes = { full: found.hasText, vectors: found.hasVectors };
    const { model, terms } = found;
    return { hits: hits.slice(0, limit), mode: modeOf(modes), model, terms, notes };
  }

  private async find(owner: Owner, id: number, request: SearchRequest, notes: string[]) {
    const { database, embeddings } = this.#dependencies;
    const signal = request.signal ?? new AbortController().signal;
    const terms = termsOf(request.query);
    const [textual, vectorial] = await Promise.all([
      this.#text(owner, id, request, terms, notes),
      this.#vectors(owner, id, request, signal, notes),
    ]);
    const { query, candidates: vectors } = vectorial;
    const similarities = new Map(vectors.map(({ chunk, evidence }) => [chunk, evidence]));
    if (query !== undefined) {
      const others = textual.candidates
        .map(({ chunk }) => chunk)
        .filter((chunk) => !similarities.has(chunk));
      for (const [chunk, similarity] of await similaritiesOf(database, query, others)) {
        similarities.set(chunk, similarity);
      }
    }
    const wordVectors: Findings["wordVectors"] = async (words) => {
      if (query === undefined || embeddings === undefined) return new Map();
      try {
        return await embeddings.wordVectors(words, signal);
      } catch (error) {
        notes.push(`words were compared without their vectors: ${errorMessage(error)}`);
        return new Map();
      }
    };
    return {
      terms: textual.terms,
      fullText: textual.candidates,
      vectors,
      similarities,
      wordVectors,
      days: new Set(daysIn(request.query)),
      hasText: textual.searched,
      hasVectors: query !== undefined,
      model: query?.index.model,
    };
  }

  #ranking(request: SearchRequest): RankingOptions {
    return { ...DEFAULT_RANKING, ...this.#dependencies.ranking, ...request.ranking };
  }

  async #text(
    owner: Owner,
    id: number,
    request: SearchRequest,
    terms: ReturnType<typeof termsOf>,
    notes: string[],
  ) {
    const { database } = this.#dependencies;
    const nothing = { candidates: [], terms: [], searched: false };
    if (!database.hasFullText) {
      notes.push(...database.notices.filter((notice) => notice.includes("full-text")));
      return nothing;
    }
    const phrases = datePhrases(request.query);
    if (terms.length === 0 && phrases.length === 0) return nothing;
    try {
      const weighted = await weighTerms(database, terms);
      const filter = filterCondition(request, database, owner.user, 3);
      const candidates = await searchText(database, {
        phrases,
        terms: weighted,
        isNarrow: hasDates(request),
        owner: id,
        filter,
        limit: CANDIDATES,
      });
      return { candidates, terms: weighted, searched: true };
    } catch (error) {
      notes.push(`full text was not searched: ${errorMessage(error)}`);
      return nothing;
    }
  }

  async #vectors(
    owner: Owner,
    id: number,
    request: SearchRequest,
    signal: AbortSignal,
    notes: string[],
  ) {
    const { database, embeddings } = this.#dependencies;
    const nothing = { candidates: [], query: undefined };
    if (embeddings === undefined) {
      notes.push("only full text was searched: no embedding provider is set up");
      return nothing;
    }
    try {
      const query: QueryVector | undefined = await embeddings.embedQuery(request.query, signal);
      if (query === undefined) {
        notes.push("only full text was searched: nothing is embedded with the current model yet");
        return nothing;
      }
      const filter = filterCondition(request, database, owner.user, 2);
      const candidates = await searchVectors(database, {
        query,
        owner: id,
        filter,
        limit: CANDIDATES,
        codes: this.#dependencies.codes,
      });
      return { candidates, query };
    } catch (error) {
      notes.push(`only full text was searched: ${errorMessage(error)}`);
      return nothing;
    }
  }
}

function checkedLimit(limit: number = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAXIMUM_LIMIT) return limit;
  throw new InvalidParameterError(
    "limit",
    `expected a whole number from 1 to ${MAXIMUM_LIMIT}, got ${limit}`,
  );
}

function hasDates({ from, to }: SearchFilter): boolean {
  return from !== undefined || to !== undefined;
}

function modeOf({ full, vectors }: { readonly full: boolean; readonly vectors: boolean }) {
  if (full && vectors) return "hybrid";
  if (full) return "full-text";
  return vectors ? "vectors" : "none";
}
