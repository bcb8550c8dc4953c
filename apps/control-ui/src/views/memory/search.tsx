import type { GatewayMethodResult } from "@openclaw/protocol";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { Choice } from "../../components/choice.js";
import { FaultNote } from "../../components/fault-note.js";
import type { Filters } from "../../components/filters.js";
import { TableHead } from "../../components/table-head.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { duration } from "../../text/format.js";
import { documentPath } from "./documents.js";
import { agent, asked, found, spaces } from "./memory.js";
import { text } from "./messages.js";

type Hit = GatewayMethodResult<"memory.search">["hits"][number];

const COLUMNS = [
  [text.score, "x", true],
  [text.hit, "", false],
  [text.fused, "end", false],
  [text.words, "end", false],
  [text.meaning, "end", false],
] as const;

/** Search by words and by meaning, with the fused rank next to both. */
export function SearchTab({ filters }: { filters: Filters }) {
  const find = useRef<HTMLInputElement>(null);
  useFocusKey(find);
  const query = filters.chosen("q");
  const space = filters.chosen("space");
  useEffect(() => spaces.show(), []);
  useEffect(() => {
    asked.value = { query, space };
    return found.show();
  }, [query, space, agent.value]);
  const answer = found.value.value?.query === query ? found.value.value : undefined;
  return (
    <>
      <div class="filters">
        <form
          class="search"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            filters.choose("q", find.current?.value.trim() ?? "");
          }}
        >
          <input
            ref={find}
            class="input"
            aria-label={text.query}
            placeholder={text.query}
            defaultValue={query}
            onChange={({ currentTarget }) => filters.choose("q", currentTarget.value.trim())}
          />
          <kbd>/</kbd>
        </form>
        <div class="choices">
          <Choice
            label={text.space}
            value={space}
            options={spaces.value.value?.spaces.map(({ name }) => name) ?? []}
            onChoose={(value) => filters.choose("space", value)}
          />
        </div>
      </div>
      {found.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={found.fault.value} />
        </div>
      )}
      {query === "" ? (
        <div class="empty">
          <h2>{text.query}</h2>
          <p>{text.searchHelp}</p>
        </div>
      ) : answer === undefined ? (
        found.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <Hits answer={answer} filters={filters} />
      )}
    </>
  );
}

function Hits({
  answer: { query, result, tookMs },
  filters,
}: {
  answer: NonNullable<typeof found.value.value>;
  filters: Filters;
}) {
  const { hits, mode, notes = [] } = result;
  if (hits.length === 0) {
    return (
      <div class="empty">
        <h2>{text.nothingFound}</h2>
        <p>{text.nothingFoundHelp}</p>
      </div>
    );
  }
  return (
    <div class="page">
      <div class="rows mhits" role="table" aria-label={text.search}>
        <TableHead columns={COLUMNS} />
        {hits.map((hit, index) => (
          // The gateway replaces the whole list, and a document may have several hits.
          <div class="row act" role="row" key={index}>
            <span role="cell" class="x">
              <ScoreBars hit={hit} />
            </span>
            <span role="cell" class="two">
              <Link class="cover mono t12" href={documentPath(hit.path, filters)}>
                {hit.path}
              </Link>
              <br />
              <Marked text={hit.text} query={query} />
            </span>
            <span role="cell" class="end">
              <b>{hit.score.toFixed(2)}</b>
            </span>
            <span role="cell" class="end mid">
              {ranked(hit.coverage ?? hit.match, hit.fullTextRank)}
            </span>
            <span role="cell" class="end mid">
              {ranked(hit.similarity, hit.vectorRank)}
            </span>
          </div>
        ))}
      </div>
      <p class="sec dim t12" role="status">
        {text.hits(hits.length, mode, duration(tookMs))} {notes.join(" ")}
      </p>
    </div>
  );
}

/** Fused score, score by words and score by meaning, as bars. */
function ScoreBars({ hit }: { hit: Hit }) {
  const scores = [hit.score, hit.coverage ?? hit.match ?? 0, hit.similarity ?? 0];
  const [fused = "", words = "", meaning = ""] = scores.map((each) => each.toFixed(2));
  return (
    <svg class="scores" role="img" aria-label={text.scoresOf(fused, words, meaning)}>
      {scores.map((score, index) => (
        <g key={index} data-series={index}>
          <rect class="track" x="0" y={index * 6} width="100%" height="4" />
          <rect
            x="0"
            y={index * 6}
            width={`${Math.min(1, Math.max(0, score)) * 100}%`}
            height="4"
          />
        </g>
      ))}
    </svg>
  );
}

function ranked(score: number | undefined, rank: number | undefined): string {
  if (score === undefined) return "–";
  return rank === undefined ? score.toFixed(2) : text.ranked(score.toFixed(2), rank);
}

/** Text of a hit, with the words of the query marked. */
function Marked({ text: whole, query }: { text: string; query: string }) {
  const words = query.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const short = whole.length > 400 ? `${whole.slice(0, 400)}…` : whole;
  if (words.length === 0) return <>{short}</>;
  const parts = short.split(new RegExp(`(${words.join("|")})`, "giu"));
  return (
    <>{parts.map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))}</>
  );
}
