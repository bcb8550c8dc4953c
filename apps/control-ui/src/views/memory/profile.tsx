import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ActButton } from "../../components/act-button.js";
import { FaultNote } from "../../components/fault-note.js";
import { TableHead } from "../../components/table-head.js";
import { call } from "../../state/link.js";
import { shortTime } from "../../text/format.js";
import { FactDialog } from "./dialogs.js";
import { agent, ofAgent, profile } from "./memory.js";
import { text } from "./messages.js";

const COLUMNS = [
  [text.fact, "", false],
  [text.value, "", false],
  [text.factType, "x", false],
  [text.confidence, "end x", false],
  [text.said, "x", false],
  [text.when, "end x", false],
  [text.remove, "", true],
] as const;

/** Facts about the operator, each with its source. */
export function Profile() {
  const isAdding = useSignal(false);
  useEffect(() => profile.show(), [agent.value]);
  const facts = profile.value.value;
  return (
    <>
      <div class="filters sess">
        <span class="end line">
          <ActButton scope="operator.write" onAct={() => (isAdding.value = true)}>
            {text.addFact}
          </ActButton>
        </span>
      </div>
      {profile.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={profile.fault.value} />
        </div>
      )}
      {facts === undefined ? (
        profile.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : facts.length === 0 ? (
        <div class="empty">
          <h2>{text.noFacts}</h2>
          <p>{text.noFactsHelp}</p>
        </div>
      ) : (
        <div class="page">
          <div class="rows mfacts" role="table" aria-label={text.facts}>
            <TableHead columns={COLUMNS} />
            {facts.map(({ key, value, type, confidence, source, updatedAt }) => (
              <div class="row" role="row" key={key}>
                <span role="cell" class="two">
                  <strong>{key}</strong>
                </span>
                <span role="cell" class="two">
                  {value}
                </span>
                <span role="cell" class="x mid">
                  {type === "dynamic" ? text.dynamic : text.static}
                </span>
                <span role="cell" class="end x">
                  {confidence.toFixed(2)}
                </span>
                <span role="cell" class="x sub">
                  {source}
                </span>
                <span role="cell" class="end x sub" title={updatedAt}>
                  {shortTime(Date.parse(updatedAt))}
                </span>
                <span role="cell" class="free end">
                  <ActButton
                    scope="operator.write"
                    label={text.removeFact(key)}
                    onAct={() =>
                      void profile.change(() => call("memory.deleteFact", { key, ...ofAgent() }))
                    }
                  >
                    {text.remove}
                  </ActButton>
                </span>
              </div>
            ))}
          </div>
        </div>
      )}
      {isAdding.value && <FactDialog onClose={() => (isAdding.value = false)} />}
    </>
  );
}
