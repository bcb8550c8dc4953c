import type { ApprovalSummary } from "@openclaw/protocol";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { DiffCounts, DiffView } from "../../components/diff-view.js";
import { Icon } from "../../components/icons.js";
import { waiting } from "../../state/approvals.js";
import { call, mayCall } from "../../state/link.js";
import { filled } from "../../text/catalogue.js";
import { exactTime, shortTime } from "../../text/format.js";
import { CommandList } from "./command-list.js";
import { DecisionBar } from "./decision-bar.js";
import { text } from "./messages.js";
import { Why } from "./why.js";
import { alwaysCovers, deciderOf, headlineOf, scopeWords } from "./words.js";

/** Interval in milliseconds at which a request that somebody reads is kept from expiring. */
const HOLD_MS = 45_000;
/** Digits of the digest that are shown; the whole one is in its title. */
const DIGEST_SHOWN = 8;

const SEVERITIES = { info: undefined, warning: "approval", critical: "failed" } as const;

/** One request: what runs, why it asks, what each answer means; alone on its page, without the others. */
export function ApprovalDetail({
  approval,
  isAlone = false,
}: {
  approval: ApprovalSummary;
  isAlone?: boolean;
}) {
  const { id, code, severity, tool, digest, state, change } = approval;
  const isPending = state === "pending";
  useEffect(() => (isPending ? holdWhileRead(id) : undefined), [id, isPending]);
  const position = waiting.value.findIndex((each) => each.id === id);
  return (
    <article class="detail" aria-labelledby="approval-title">
      <div class="dscroll">
        <header class="dhead">
          {!isAlone && <Pager position={position} />}
          <p class="line t12">
            <span class="tag" data-s={SEVERITIES[severity]}>
              {text[severity]}
            </span>
            <span class="dim">
              {filled(text.facts(tool ?? approval.kind), {
                code: <code>{code}</code>,
                digest: <code title={digest}>{digest.slice(0, DIGEST_SHOWN)}</code>,
              })}
            </span>
          </p>
          <h2 id="approval-title">{headlineOf(approval)}</h2>
          <p class="mid">
            {filled(text.askedBy, {
              agent: <b>{approval.agentId}</b>,
              person: personOf(approval),
              time: shortTime(approval.createdAt),
            })}
            {isPending && ` ${text.waitsStill}`}
          </p>
          <Votes approval={approval} />
        </header>
        <Input approval={approval} />
        <Commands approval={approval} />
        {change !== undefined && (
          <section class="sec">
            <h3>
              {text.change}{" "}
              <span class="end">
                <DiffCounts change={change} />
              </span>
            </h3>
            <DiffView change={change} />
          </section>
        )}
        {approval.input === undefined && <Parameters approval={approval} />}
        <Why approval={approval} />
        {isPending && approval.allowedDecisions.includes("allow-always") && (
          <section class="sec">
            <h3>{text.alwaysCovers}</h3>
            <p>
              {text.alwaysScope(
                capitalised(alwaysCovers(approval)),
                scopeWords(approval.grantScope, approval),
              )}
            </p>
          </section>
        )}
        <Around approval={approval} />
      </div>
      <DecisionBar approval={approval} isAlone={isAlone} />
    </article>
  );
}

/** How many people have allowed a request that several must allow, and who. */
function Votes({ approval: { quorum } }: { approval: ApprovalSummary }) {
  if (quorum === undefined) return null;
  const people = quorum.votes.map(({ by }) => by).join(", ");
  return (
    <p>
      <b>{text.votes(quorum.allowed, quorum.count)}</b>
      {people === "" ? "." : text.votesBy(people)}
    </p>
  );
}

function Pager({ position }: { position: number }) {
  const next = waiting.value[(position + 1) % Math.max(1, waiting.value.length)];
  return (
    <nav class="only-narrow pager" aria-label={text.requests}>
      <Link class="btn quiet" href="/approvals">
        <Icon name="back" />
        {text.allCount(waiting.value.length)}
      </Link>
      {position >= 0 && <span>{text.position(position + 1, waiting.value.length)}</span>}
      {next !== undefined && (
        <Link class="btn quiet" href={`/approvals/${encodeURIComponent(next.id)}`}>
          {text.nextShort}
        </Link>
      )}
    </nav>
  );
}

/** What a request for input asks, and the page that the person is to open. */
function Input({ approval: { input } }: { approval: ApprovalSummary }) {
  if (input === undefined) return null;
  const { message, url } = input;
  return (
    <section class="sec">
      <h3>{text.asksForInput}</h3>
      <p>{message}</p>
      {url !== undefined && (
        <p>
          {isWebPage(url) ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {url}
            </a>
          ) : (
            url
          )}
        </p>
      )}
    </section>
  );
}

function isWebPage(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function Commands({ approval }: { approval: ApprovalSummary }) {
  const { commands = [], params, sandboxed } = approval;
  const typed = typedCommand(params);
  if (commands.length === 0 && typed === undefined) return null;
  const place = sandboxed === true ? text.inSandbox : text.outsideSandbox;
  const isSame = commands.length === 1 && commands[0] === typed;
  return (
    <section class="sec">
      <h3>
        {text.whatRuns}{" "}
        <span class="end">
          {commands.length > 0 && `${text.commands(commands.length)}, ${place}`}
        </span>
      </h3>
      <CommandList approval={approval} />
      {typed !== undefined && !isSame && (
        <div class="typed">
          {text.asWritten}
          <pre class="code wrap">{typed}</pre>
        </div>
      )}
    </section>
  );
}

function Parameters({ approval: { params, change, commands } }: { approval: ApprovalSummary }) {
  const entries = parameterEntries(params).filter(
    ([name]) => !(commands !== undefined && name === "command"),
  );
  if (entries.length === 0) return null;
  return (
    <section class="sec">
      <details open={change === undefined}>
        <summary>
          <h3 class="h">{text.parameters}</h3>
        </summary>
        <dl class="kv">
          {entries.map(([name, value]) => (
            <div class="pair-row" key={name}>
              <dt>{name}</dt>
              <dd>
                <pre class="value">
                  {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
                </pre>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function Around({ approval }: { approval: ApprovalSummary }) {
  const { sessionKey, runId, requester, timeoutBehavior, expiresAt, state } = approval;
  const decider = deciderOf(approval);
  return (
    <section class="sec">
      <h3>{text.around}</h3>
      <dl class="kv">
        <dt>{text.session}</dt>
        <dd>
          <code>{sessionKey}</code>
        </dd>
        {runId !== undefined && (
          <>
            <dt>{text.run}</dt>
            <dd>
              <code>{runId}</code>
            </dd>
          </>
        )}
        <dt>{text.requester}</dt>
        <dd>
          {[requester.channel, requester.accountId, requester.senderId].filter(Boolean).join(" · ")}
        </dd>
        {state === "pending" ? (
          <>
            <dt>{text.ifNobody}</dt>
            <dd>
              {text[timeoutBehavior === "deny" ? "deniedAt" : "allowedAt"](exactTime(expiresAt))}
            </dd>
          </>
        ) : (
          <>
            <dt>{text.decided}</dt>
            <dd>
              {decider === "" ? text.byNobody : text.by(decider)}
              {approval.decidedAt !== undefined && `, ${exactTime(approval.decidedAt)}`}
            </dd>
            {approval.note !== undefined && (
              <>
                <dt>{text.note}</dt>
                <dd>{approval.note}</dd>
              </>
            )}
          </>
        )}
      </dl>
    </section>
  );
}

/** Keeps a request from expiring while the tab is visible and a person does something in it (APPR-013). */
function holdWhileRead(id: string): () => void {
  let hasMoved = true;
  const moved = () => {
    hasMoved = true;
  };
  const hold = () => {
    if (!hasMoved || document.visibilityState === "hidden" || !mayCall("approvals.hold")) return;
    hasMoved = false;
    // Without a connection the request expires as it would without this page.
    call("approvals.hold", { id }).catch(() => undefined);
  };
  const timer = setInterval(hold, HOLD_MS);
  const events = ["pointermove", "keydown", "wheel", "touchstart"] as const;
  for (const name of events) addEventListener(name, moved, { passive: true });
  hold();
  return () => {
    clearInterval(timer);
    for (const name of events) removeEventListener(name, moved);
  };
}

function personOf({ requester: { channel, senderId } }: ApprovalSummary): string {
  return channel === "" ? senderId : text.personIn(senderId, channel);
}

function typedCommand(params: unknown): string | undefined {
  const value = parameterEntries(params).find(([name]) => name === "command")?.[1];
  return typeof value === "string" ? value : undefined;
}

function parameterEntries(params: unknown): readonly (readonly [string, unknown])[] {
  if (typeof params !== "object" || params === null) return [];
  return Object.entries(params);
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
