import type { GatewayMethodResult } from "@openclaw/protocol";
import { StateMark } from "../../../components/state-mark.js";
import { text } from "../messages.js";
import { changedPaths } from "./changed-paths.js";

type Result = GatewayMethodResult<"run.whatIf">;
type Difference = Result["differences"][number];

/** Steps and decisions that the changes alter, the decisions first. */
export function WhatIfResult({ result }: { result: Result }) {
  const { baseline, steps, flips, differences } = result;
  const isSame = flips.length === 0 && differences.length === 0;
  return (
    <section class="sec" aria-live="polite">
      <h2>
        {text.result} <span class="end">{text.stepCount(steps)}</span>
      </h2>
      {baseline.status === "diverged" && (
        <p class="note t12" data-s="approval">
          {text.baselineDiffers(baseline.divergence?.step ?? 1)}
        </p>
      )}
      <p class="note" data-s={isSame ? "done" : "approval"}>
        <StateMark
          state={isSame ? "done" : "approval"}
          label={isSame ? text.same : text.different}
        />
        <span>{isSame ? text.noDifference : text.differs(differences.length, flips.length)}</span>
      </p>
      {!isSame && (
        <div class="rows cmp" role="table" aria-label={text.result}>
          <div class="row head" role="row">
            {[text.step, text.recorded, text.changed, ""].map((name) => (
              <span key={name} role="columnheader">
                {name === "" ? <span class="vh">{text.change}</span> : name}
              </span>
            ))}
          </div>
          {flips.map(({ toolCallId, toolName, before, after }) => (
            <div key={toolCallId} class="row" role="row">
              <span role="cell" class="mid">
                <code>{toolName}</code>
              </span>
              <span role="cell">{text.outcome(before)}</span>
              <span role="cell" class="strong">
                {text.outcome(after)}
              </span>
              <span role="cell" class="end">
                <span class="tag" data-s="approval">
                  {text.flip}
                </span>
              </span>
            </div>
          ))}
          {differences.map((difference, index) => (
            <DifferenceRows key={`${index} ${difference.step}`} difference={difference} />
          ))}
        </div>
      )}
    </section>
  );
}

function DifferenceRows({ difference: { step, expected, got } }: { difference: Difference }) {
  const kind = expected?.kind ?? got?.kind ?? "";
  const paths = changedPaths(expected?.content, got?.content);
  return (
    <>
      {paths.map(({ path, before, after }) => (
        <div key={path} class="row" role="row">
          <span role="cell" class="mid">
            <span class="num">{step}</span> <code>{`${kind}${path}`}</code>
          </span>
          <span role="cell" class="mono t12 was">
            {before ?? text.ended}
          </span>
          <span role="cell" class="mono t12 now">
            {after ?? text.ended}
          </span>
          <span role="cell" />
        </div>
      ))}
    </>
  );
}
