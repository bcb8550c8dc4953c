import type { GatewayMethodResult } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { CrumbBar } from "../../../components/crumb-bar.js";
import { FaultNote } from "../../../components/fault-note.js";
import { StateMark } from "../../../components/state-mark.js";
import { type ViewKey, viewKeys } from "../../../shell/keyboard.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call, gateway, missingScope } from "../../../state/link.js";
import { text } from "../messages.js";
import { WhatIfResult } from "./result.js";

const ID_SHOWN = 8;

/** A recorded run with changes: which of its steps and decisions would be others. */
export function WhatIfPage({ runId }: { runId: string }) {
  const plugins = useSignal<readonly string[]>([]);
  const disabled = useSignal<ReadonlySet<string>>(new Set());
  const configuration = useSignal("");
  const result = useSignal<GatewayMethodResult<"run.whatIf"> | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const isReplaying = useSignal(false);
  const isOpen = gateway.value !== undefined;
  const missing = missingScope("operator.admin");
  useEffect(() => {
    if (!isOpen) return;
    call("plugins.list", {}).then(
      (listed) => {
        plugins.value = listed.plugins
          .filter(({ status }) => status === "loaded")
          .map(({ id }) => id)
          .sort();
      },
      () => undefined,
    );
  }, [isOpen]);
  const replay = async () => {
    if (isReplaying.value || missing !== undefined) return;
    isReplaying.value = true;
    try {
      const disabledPlugins = [...disabled.value];
      const changed = configuration.value.trim();
      result.value = await call("run.whatIf", {
        runId,
        ...(disabledPlugins.length > 0 && { disabledPlugins }),
        ...(changed !== "" && { configuration: { file: "candidate.json", text: changed } }),
      });
      fault.value = undefined;
    } catch (error) {
      result.value = undefined;
      fault.value = faultOf(error);
    } finally {
      isReplaying.value = false;
    }
  };
  useLayoutEffect(() => {
    const own: readonly ViewKey[] = [{ key: "r", title: text.runWhatIf, run: () => void replay() }];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  const short = runId.slice(0, ID_SHOWN);
  return (
    <>
      <CrumbBar view={short} path={`/runs/${encodeURIComponent(runId)}`} title={text.whatIf}>
        <div class="end">
          <button
            class="btn small primary"
            type="button"
            aria-disabled={isReplaying.value || missing !== undefined}
            title={missing}
            onClick={() => void replay()}
          >
            {isReplaying.value ? text.replaying : text.runWhatIf}
          </button>
        </div>
      </CrumbBar>
      <div class="split wide-side">
        <div class="page">
          <section class="sec">
            <h2>
              {text.changes} <span class="end">{text.fromRecording}</span>
            </h2>
            <fieldset class="field">
              <legend class="label">{text.plugins}</legend>
              <div class="control what-if-plugins">
                {plugins.value.map((id) => (
                  <label key={id} class="line">
                    <input
                      class="check"
                      type="checkbox"
                      checked={!disabled.value.has(id)}
                      onChange={() => {
                        const next = new Set(disabled.value);
                        if (!next.delete(id)) next.add(id);
                        disabled.value = next;
                      }}
                    />
                    {disabled.value.has(id) ? (
                      <>
                        <s>{id}</s> <span class="dim">{text.leftOut}</span>
                      </>
                    ) : (
                      id
                    )}
                  </label>
                ))}
              </div>
            </fieldset>
            <label class="field">
              <span class="label">{text.configuration}</span>
              <span class="control">
                <textarea
                  class="textarea mono"
                  rows={6}
                  spellcheck={false}
                  placeholder={text.configurationHint}
                  value={configuration.value}
                  onInput={(event) => {
                    configuration.value = event.currentTarget.value;
                  }}
                />
              </span>
            </label>
          </section>
          {fault.value !== undefined && (
            <section class="sec">
              <FaultNote fault={fault.value} />
            </section>
          )}
          {result.value !== undefined && <WhatIfResult result={result.value} />}
        </div>
        <aside class="side">
          <section class="sec">
            <h2>{text.whatReplays}</h2>
            <ul class="next sys">
              {(
                [
                  ["done", text.runsAgain, text.replaysHere],
                  ["interrupted", text.isRecorded, text.replaysRecorded],
                  ["blocked", text.isLeftOut, text.replaysNot],
                ] as const
              ).map(([state, label, words]) => (
                <li key={state} class="line">
                  <StateMark state={state} label={label} />
                  <span>{words}</span>
                </li>
              ))}
            </ul>
          </section>
          <section class="sec">
            <h2>{text.fromTerminal}</h2>
            <pre class="code wrap">
              {[
                `openclaw replay ${runId}`,
                ...[...disabled.value].map((id) => `  --disable-plugin ${id}`),
                ...(configuration.value.trim() === "" ? [] : ["  --config candidate.json"]),
              ].join(" \\\n")}
            </pre>
          </section>
        </aside>
      </div>
    </>
  );
}
