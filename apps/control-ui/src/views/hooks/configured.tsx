import { closedReason } from "../../components/act-button.js";
import { type MarkState, StateMark } from "../../components/state-mark.js";
import { SwitchBox } from "../../components/switch-box.js";
import { TableHead } from "../../components/table-head.js";
import { call } from "../../state/link.js";
import { type HooksPage, hooks } from "./hooks.js";
import { text } from "./messages.js";

const COLUMNS = [
  [text.state, "", true],
  [text.name, "", false],
  [text.points, "x", false],
  [text.action, "x", false],
  [text.counts, "x", false],
  [text.enabled, "end", true],
] as const;

const MARKS: Readonly<Record<string, MarkState>> = {
  active: "done",
  disabled: "interrupted",
  invalid: "failed",
  unapproved: "approval",
};

/** Hooks that are written as configuration, with what prevents others. */
export function Configured({ configured }: { configured: HooksPage["configured"] }) {
  const { hooks: all, problems } = configured;
  const reason = closedReason("operator.admin");
  return (
    <div class="page">
      {all.length === 0 && problems.length === 0 && (
        <div class="empty">
          <h2>{text.noConfigured}</h2>
          <p>{text.noConfiguredHelp}</p>
        </div>
      )}
      {all.length > 0 && (
        <div class="rows hconf" role="table" aria-label={text.configured}>
          <TableHead columns={COLUMNS} />
          {all.map(({ name, source, points, action, state, reason: why, counts }) => (
            <div class="row" role="row" key={name}>
              <span role="cell">
                <StateMark state={MARKS[state] ?? "waiting"} label={text.stateOf(state)} />
              </span>
              <span role="cell" class="two" title={source}>
                <strong class="mono t12">{name}</strong>
                <br />
                <span class={why === undefined ? "dim t12" : "bad t12"}>{why ?? source}</span>
              </span>
              <span role="cell" class="x mono t12 two">
                {points.join(", ")}
              </span>
              <span role="cell" class="x mid">
                {action}
              </span>
              <span role="cell" class="x two t12 mid">
                {text.matched(counts.matched, counts.modified, counts.blocked, counts.failed)}
              </span>
              <span role="cell" class="free end">
                <SwitchBox
                  label={text.switchNamed(name)}
                  isOn={state !== "disabled"}
                  reason={reason}
                  onSwitch={() =>
                    void hooks.change(() =>
                      call(state === "disabled" ? "hooks.enable" : "hooks.disable", { name }),
                    )
                  }
                />
              </span>
            </div>
          ))}
        </div>
      )}
      {problems.length > 0 && (
        <section>
          <h2 class="grp">{text.problems}</h2>
          <ul class="plugin-notes pad">
            {problems.map(({ source, message }) => (
              <li class="note t12" data-s="failed" key={`${source} ${message}`}>
                <code>{source}</code> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
