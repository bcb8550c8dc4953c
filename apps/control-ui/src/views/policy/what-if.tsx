import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { gateway, isLive, missingScope } from "../../state/link.js";
import { shortTime } from "../../text/format.js";
import { loadText, reviewText, textFile } from "../settings/settings.js";
import { text } from "./messages.js";
import { compare, comparison, progress } from "./policy.js";
import { deciderWords } from "./words.js";

/** A candidate configuration over the recorded calls, with the calls that it would decide differently. */
export function WhatIf() {
  const isOpen = gateway.value !== undefined;
  const missing = missingScope("operator.admin");
  const file = textFile.value;
  useEffect(() => {
    if (isOpen && missing === undefined && file === undefined) void loadText();
  }, [isOpen, missing, file === undefined]);
  if (missing !== undefined) {
    return (
      <div class="empty">
        <h2>{text.whatIf}</h2>
        <p>{text.needsAdmin}</p>
      </div>
    );
  }
  if (file === undefined) return <div class="page" aria-busy="true" />;
  const far = progress.value;
  const reason = !isLive.value ? text.noConnection : far === undefined ? undefined : text.working;
  const unsaved = file.typed === file.text ? text.unchanged : reason;
  return (
    <div class="split wi">
      <div class="wedit">
        <p class="dim t12">{text.whatIfHelp}</p>
        <textarea
          class="textarea mono t12"
          aria-label={text.candidate}
          spellcheck={false}
          value={file.typed}
          onInput={({ currentTarget }) => {
            textFile.value = { ...file, typed: currentTarget.value };
          }}
        />
        <p class="line">
          <button
            class="btn primary"
            type="button"
            aria-disabled={reason !== undefined}
            title={reason}
            onClick={() => {
              if (reason === undefined) void compare();
            }}
          >
            {text.run}
          </button>
          <button
            class="btn"
            type="button"
            aria-disabled={unsaved !== undefined}
            title={unsaved}
            onClick={() => {
              if (unsaved === undefined) void reviewText();
            }}
          >
            {text.review}
          </button>
        </p>
      </div>
      <div tabIndex={0} role="region" aria-label={text.whatIf}>
        {far !== undefined && (
          <p class="sec" role="status">
            {text.running(far.compared, far.total)}
          </p>
        )}
        {far === undefined && <Result />}
      </div>
    </div>
  );
}

function Result() {
  const found = comparison.value;
  if (found === undefined) return null;
  const { calls, allowToDeny, denyToAllow, tools } = found;
  return (
    <>
      <p class="sec t14" role="status">
        {text.result(calls, allowToDeny + denyToAllow)}
      </p>
      {tools.length === 0 ? (
        <div class="empty">
          <h2>{text.nothingFlips}</h2>
        </div>
      ) : (
        <div class="rows flips" role="table" aria-label={text.whatIf}>
          <div class="row head" role="row">
            {[text.tool, text.toAllow, text.toDeny, text.samples].map((name, index) => (
              <span role="columnheader" class={index === 0 ? "" : "end"} key={name}>
                {name}
              </span>
            ))}
          </div>
          {tools.map(({ tool, allowToDeny: denied, denyToAllow: allowed, samples }) => (
            <div class="row" role="row" key={tool}>
              <span role="cell" class="mono">
                {tool}
              </span>
              <span role="cell" class="end good">
                {allowed || "–"}
              </span>
              <span role="cell" class="end plum">
                {denied || "–"}
              </span>
              <span role="cell" class="end">
                {samples.map(({ runId, toolCallId, at, after }) => (
                  <Fragment key={toolCallId}>
                    <Link
                      class="link"
                      href={`/runs/${encodeURIComponent(runId)}`}
                      title={deciderWords(after)}
                    >
                      {shortTime(at)}
                    </Link>{" "}
                  </Fragment>
                ))}
              </span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
