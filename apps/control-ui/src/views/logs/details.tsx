import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Filters } from "../../components/filters.js";
import type { LogLine } from "./log-lines.js";
import { text } from "./messages.js";
import { recordOf } from "./view.js";

/** Filters that a field of a line can set. */
const FILTERS = { subsystem: "subsystem", pluginId: "plugin", sessionKey: "session" } as const;

/** Line with all of its fields, and where they lead. */
export function LineDetails({
  line,
  filters,
  onClose,
}: {
  line: LogLine;
  filters: Filters;
  onClose(): void;
}) {
  const isCopied = useSignal(false);
  const { time, level, msg, fields } = line;
  const { runId, sessionKey, jobId } = fields;
  const links = [
    [text.openRun, "/runs/", runId],
    [text.openSession, "/chat/", sessionKey],
    [text.openJob, "/jobs/", jobId],
  ] as const;
  return (
    <aside class="logline" aria-label={text.details} tabIndex={0}>
      <p class="line t12">
        <span class="num">{new Date(time).toISOString()}</span> <b class="lvl">{level}</b>
        <button class="btn quiet small" type="button" onClick={onClose}>
          {text.close}
        </button>
      </p>
      <p class="logmsg">{msg}</p>
      <p class="line wrap-l">
        {links.map(
          ([name, path, id]) =>
            typeof id === "string" && (
              <Link key={path} class="btn small" href={path + encodeURIComponent(id)}>
                {name}
              </Link>
            ),
        )}
        {Object.entries(FILTERS).map(([field, name]) => {
          const value = fields[field];
          if (typeof value !== "string" || filters.chosen(name) === value) return null;
          return (
            <button
              key={field}
              class="btn small"
              type="button"
              onClick={() => filters.choose(name, value)}
            >
              {text.only(value)}
            </button>
          );
        })}
        <button
          class="btn small"
          type="button"
          onClick={() => {
            navigator.clipboard.writeText(recordOf(line)).then(
              () => {
                isCopied.value = true;
              },
              () => undefined,
            );
          }}
        >
          {isCopied.value ? text.copied : text.copy}
        </button>
      </p>
      <dl class="kv t12">
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="mono">
              {typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
