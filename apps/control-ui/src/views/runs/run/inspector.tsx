import type { GatewayMethodResult, RunHookHandler, RunSpan } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call, mayCall } from "../../../state/link.js";
import { duration } from "../../../text/format.js";
import { text } from "../messages.js";

type Explanation = GatewayMethodResult<"policy.explain">;

/** Attribute with the IDs of the policy decisions of a call. */
const DECISIONS = "policyDecisions";

/** What one step got and did: its attributes, and each handler with its verdict and its changes. */
export function Inspector({ span, onClose }: { span: RunSpan; onClose(): void }) {
  const { spanId, kind, name, durationMs, status, summary, attributes, handlers = [] } = span;
  const decisions = String(attributes[DECISIONS] ?? "")
    .split(" ")
    .filter(Boolean);
  return (
    <aside class="side insp" aria-label={name}>
      <section class="sec">
        <h2>
          <code>{name}</code>{" "}
          <span class="end">
            {[kind, status, durationMs === undefined ? text.stillOpen : duration(durationMs)].join(
              " · ",
            )}
          </span>
        </h2>
        <p>{summary}</p>
        <button class="btn small quiet" type="button" onClick={onClose}>
          ×<span class="vh">{text.close}</span>
        </button>
      </section>
      {decisions.length > 0 && (
        <section class="sec">
          <h3>{text.decisions}</h3>
          {decisions.map((decisionId) => (
            <Decision key={decisionId} decisionId={decisionId} />
          ))}
        </section>
      )}
      {handlers.length > 0 && (
        <section class="sec">
          <h3>{text.handlersOf}</h3>
          <ol class="handlers">
            {handlers.map((handler, index) => (
              <Handler key={`${spanId} ${index}`} handler={handler} />
            ))}
          </ol>
        </section>
      )}
      <section class="sec">
        <h3>{text.attributes}</h3>
        <dl class="kv t12">
          {Object.entries(attributes)
            .filter(([key]) => key !== DECISIONS)
            .map(([key, value]) => (
              <div class="pair-row" key={key}>
                <dt>{key}</dt>
                <dd>
                  <code>{String(value)}</code>
                </dd>
              </div>
            ))}
        </dl>
      </section>
    </aside>
  );
}

function Handler({ handler }: { handler: RunHookHandler }) {
  const { pluginId, label, stage, priority, outcome, durationMs, attempts, queueWaitMs } = handler;
  const { result, patch } = handler;
  const facts = [
    stage === "policy" ? text.policyStage : undefined,
    priority === undefined ? undefined : text.priority(priority),
    attempts === undefined || attempts < 2 ? undefined : text.attempts(attempts),
    queueWaitMs === undefined || queueWaitMs < 1
      ? undefined
      : text.waitedInQueue(duration(queueWaitMs)),
  ].filter((fact) => fact !== undefined);
  return (
    <li>
      <div class="top">
        <span>
          <b>{pluginId}</b> <span class="dim">{label}</span>
        </span>
        <span>{outcome}</span>
        <span class="end num">{duration(durationMs)}</span>
      </div>
      {facts.length > 0 && <p class="meta">{facts.join(" · ")}</p>}
      {result !== undefined && Object.keys(result).length > 0 && (
        <pre class="code wrap">
          {Object.entries(result)
            .map(([key, value]) => `${key}: ${value}`)
            .join("\n")}
        </pre>
      )}
      {patch !== undefined && patch.length > 0 && (
        <ul class="patch">
          {patch.map(({ op, path, value }, index) => (
            <li key={`${index} ${path}`}>
              <span class="op">{op}</span>
              <span>{path}</span>
              {value !== undefined && <span class="now">{value}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Why a call was allowed or denied, as the gateway recorded it. */
function Decision({ decisionId }: { decisionId: string }) {
  const found = useSignal<Explanation | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    if (!mayCall("policy.explain")) return;
    call("policy.explain", { decisionId }).then(
      (explanation) => {
        found.value = explanation;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [decisionId]);
  if (fault.value !== undefined) return <FaultNote fault={fault.value} />;
  return (
    <pre class="code wrap">{found.value === undefined ? decisionId : explained(found.value)}</pre>
  );
}

/** The verdict, the rule that decided, and the smallest change that reverses it. */
function explained({ tool, allowed, decidedBy, flip }: Explanation): string {
  const head = `${allowed ? text.allowed : text.denied} ${tool}`;
  const by =
    decidedBy.kind === "layer"
      ? text.by(
          decidedBy.layer,
          [decidedBy.source?.key, decidedBy.rule].filter((each) => each !== undefined).join(" "),
          placeOf(decidedBy.source),
        )
      : text.byKind(decidedBy.kind);
  const change =
    flip === undefined
      ? ""
      : text.toChange(flip.kind === "edit" ? flip.text : flip.steps.join("; "));
  return [`${head} ${by}`, change].filter((line) => line !== "").join("\n");
}

interface RuleSource {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly builtIn?: boolean | undefined;
}

function placeOf({ file, line, builtIn }: RuleSource = {}): string {
  if (builtIn === true) return text.builtIn;
  return [file, line].filter((each) => each !== undefined).join(":");
}
