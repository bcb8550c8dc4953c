import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { Choice } from "../../components/choice.js";
import { CrumbBar } from "../../components/crumb-bar.js";
import { FaultNote } from "../../components/fault-note.js";
import { type Filters, useFilters } from "../../components/filters.js";
import { JsonTree } from "../../components/json-tree.js";
import { SchemaForm } from "../../components/schema-form/schema-form.js";
import { StateMark } from "../../components/state-mark.js";
import { TableHead } from "../../components/table-head.js";
import { duration, firstLine, tokens } from "../../text/format.js";
import { text } from "./messages.js";
import {
  type EffectiveTool,
  formOf,
  runs,
  runTool,
  session,
  type ToolRun,
  tools,
} from "./tools.js";

const COLUMNS = [
  [text.tool, "", false],
  [text.does, "x", false],
  [text.plugin, "x", false],
  [text.size, "end x", false],
] as const;

/** Tools that policy allows in a session, each of which can be run by hand. */
export function ToolList() {
  const filters = useFilters("tools");
  useTools(filters);
  const page = tools.value.value;
  return (
    <>
      <SessionChoice filters={filters} />
      {tools.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={tools.fault.value} />
        </div>
      )}
      {page === undefined ? (
        tools.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : page.tools.length === 0 ? (
        <div class="empty">
          <h2>{text.noTools}</h2>
          <p>{page.chosen === undefined ? text.noSession : text.noToolsHelp}</p>
        </div>
      ) : (
        <div class="page">
          <div class="rows ptools" role="table" aria-label={text.tools}>
            <TableHead columns={COLUMNS} />
            {page.tools.map((tool) => (
              <div class="row act" role="row" key={tool.name}>
                <span role="cell">
                  <Link class="cover mono t12" href={pathOf(tool.name, filters)}>
                    {tool.name}
                  </Link>
                </span>
                <span role="cell" class="x mid" title={firstLine(tool.description)}>
                  {firstLine(tool.description)}
                </span>
                <span role="cell" class="x sub">
                  {tool.pluginId ?? text.core}
                </span>
                <span role="cell" class="end x sub">
                  {text.tokens(tokens(tool.tokens))}
                </span>
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

/** One tool, with a form made of its schema, and what its last call returned. */
export function ToolPage({ name }: { name: string }) {
  const filters = useFilters("tool");
  useTools(filters);
  const page = tools.value.value;
  const tool = page?.tools.find((each) => each.name === name);
  const run = Object.hasOwn(runs.value, name) ? runs.value[name] : undefined;
  const form = formOf(name);
  const chosen = page?.chosen;
  const isWrong = form.problems.value.size > 0;
  const reason = run?.kind === "running" ? text.toolRuns : isWrong ? text.fixFields : undefined;
  return (
    <>
      <CrumbBar view={text.tools} path="/plugins?view=tools" title={name} isId>
        {tool !== undefined && chosen !== undefined && (
          <div class="end">
            <ActButton
              scope="operator.write"
              reason={reason}
              onAct={() => void runTool(name, chosen)}
            >
              {text.runTool}
            </ActButton>
          </div>
        )}
      </CrumbBar>
      <SessionChoice filters={filters} />
      {tools.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={tools.fault.value} />
        </div>
      )}
      {page === undefined ? (
        tools.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : tool === undefined ? (
        <div class="empty">
          <h2>{text.notOffered(name)}</h2>
          <p>
            <Link href={`/policy?tool=${encodeURIComponent(name)}`}>{text.explainTool}</Link>
          </p>
        </div>
      ) : (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={text.parameters}>
            <Parameters tool={tool} />
          </div>
          <div tabIndex={0} role="region" aria-label={text.result}>
            <Result run={run} />
          </div>
        </div>
      )}
    </>
  );
}

function Parameters({ tool: { name, description, parameters } }: { tool: EffectiveTool }) {
  return (
    <>
      <section class="sec">
        <p class="mid">{description}</p>
        <p class="note t12">
          <span>
            {text.onePath}{" "}
            <Link href={`/policy?tool=${encodeURIComponent(name)}`}>{text.explainTool}</Link>
          </span>
        </p>
      </section>
      <fieldset class="form" aria-label={text.parameters}>
        <SchemaForm state={formOf(name)} schema={parameters} base={[]} />
      </fieldset>
    </>
  );
}

function Result({ run }: { run: ToolRun | undefined }) {
  if (run === undefined) return <p class="sec dim">{text.notRun}</p>;
  if (run.kind === "failed") {
    return (
      <div class="pad">
        <FaultNote fault={run.fault} />
      </div>
    );
  }
  if (run.kind === "running") {
    return (
      <section class="sec" role="status">
        <p>
          <StateMark state="running" label={text.toolRuns} /> {text.toolRuns}
        </p>
        <p class="dim t12">{text.mayWait}</p>
        {run.preview !== "" && <pre class="toolout">{run.preview}</pre>}
      </section>
    );
  }
  const { content, isError, runId } = run.result;
  const words = isError ? text.toolFailed : text.toolDone;
  return (
    <section class="sec" role="status">
      <h2 class="h">
        <span>
          <StateMark state={isError ? "failed" : "done"} label={words} /> {words}
        </span>
        <span class="dim">{duration(run.tookMs)}</span>
      </h2>
      {content.map((part, index) => (
        // The parts of one result keep their places.
        <Part key={index} part={part} />
      ))}
      <p class="t12">
        <Link href={`/logs?q=${encodeURIComponent(runId)}`}>{text.logOfCall}</Link>
      </p>
    </section>
  );
}

function Part({ part }: { part: Readonly<Record<string, unknown>> }) {
  const { type, text: words } = part;
  if (type !== "text" || typeof words !== "string")
    return <JsonTree value={part} label={text.result} />;
  const value = jsonOf(words);
  return value === undefined ? (
    <pre class="toolout">{words}</pre>
  ) : (
    <JsonTree value={value} label={text.result} />
  );
}

function SessionChoice({ filters }: { filters: Filters }) {
  const page = tools.value.value;
  return (
    <div class="filters sess">
      <div class="choices">
        <Choice
          label={text.asSession}
          value={filters.chosen("session")}
          options={page?.keys ?? []}
          none={text.lastUsed}
          onChoose={(value) => filters.choose("session", value)}
        />
      </div>
    </div>
  );
}

function useTools({ chosen }: Filters): void {
  const key = chosen("session");
  useEffect(() => {
    session.value = key;
    return tools.show();
  }, [key]);
}

function pathOf(tool: string, { chosen }: Filters): string {
  const query = new URLSearchParams({ tool });
  if (chosen("session") !== "") query.set("session", chosen("session"));
  return `/plugins?${query}`;
}

/** Returns an object or a list that a text is; undefined for any other text. */
function jsonOf(words: string): unknown {
  if (!/^\s*[[{]/.test(words)) return undefined;
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}
