import type { ComponentChildren } from "preact";
import { type MarkState, StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { channels, health, hostStatus, models, waitingSenders } from "../../state/host.js";
import { filled } from "../../text/catalogue.js";
import { duration, timeLeft } from "../../text/format.js";
import { text } from "./messages.js";

/** Fact about the gateway, with its state. */
interface Line {
  readonly key: string;
  readonly mark: MarkState;
  readonly label: string;
  readonly words: ComponentChildren;
}

/** What of the gateway, its channels and its models is not well; and that the rest is. */
export function System() {
  const status = hostStatus.value;
  const checks = health.value?.checks;
  if (status === undefined || checks === undefined) return null;
  const failed = checks.filter(({ ok }) => !ok);
  const lines: readonly Line[] = [
    ...failed.map(({ name, detail }): Line => {
      const words = detail === undefined ? name : `${name}: ${detail}`;
      return { key: `check ${name}`, mark: "failed", label: text.failedState, words };
    }),
    ...(failed.length === 0 ? [wellLine(checks.length)] : []),
    ...channelLines(),
    ...modelLines(),
    ...waitingLines(status.waitingDevices),
    {
      ...{ key: "version", mark: "done", label: text.ok },
      words: text.version(status.version, duration(status.uptimeMs), status.plugins.loaded),
    },
    ...(status.configuration.notice === undefined
      ? []
      : [
          {
            ...{ key: "configuration", mark: "stuck" as const, label: text.notice },
            words: status.configuration.notice,
          },
        ]),
  ];
  return (
    <section class="sec" aria-labelledby="now-gateway">
      <h2 id="now-gateway">{text.system}</h2>
      <ul class="next sys">
        {lines.map(({ key, mark, label, words }) => (
          <li key={key}>
            <StateMark state={mark} label={label} />
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function wellLine(count: number): Line {
  return {
    ...{ key: "well", mark: "done", label: text.ok },
    words: text.checks(count),
  };
}

/** Accounts that are not connected although they are configured, and those that lost messages. */
function channelLines(): readonly Line[] {
  return channels.value.flatMap((account): readonly Line[] => {
    const { channel, accountId, state, problem, retryAt, undelivered, lastFailure } = account;
    const name = accountId === undefined ? channel : `${channel} ${accountId}`;
    const key = `channel ${name}`;
    const lost: Line[] =
      undelivered === 0
        ? []
        : [
            {
              ...{ key: `${key} lost`, mark: "failed", label: text.notDelivered },
              words: text.lost(name, undelivered, lastFailure?.message ?? ""),
            },
          ];
    if (state === "degraded") {
      const left = retryAt === undefined ? "" : timeLeft(Math.max(0, retryAt - now.value));
      const words = text.reconnects(name, left, problem?.message ?? "");
      return [{ key, mark: "stuck", label: text.degraded, words }, ...lost];
    }
    if (state === "incomplete" || (state === "stopped" && problem !== undefined)) {
      const words = `${name}: ${problem?.message ?? text.settingsMissing}`;
      return [{ key, mark: "failed", label: text.stopped, words }, ...lost];
    }
    return lost;
  });
}

function modelLines(): readonly Line[] {
  const { failing = [], providers = [] } = models.value ?? {};
  return [
    ...failing.map(({ model, failures, cooldownUntil, errorCode }): Line => {
      const left = cooldownUntil === undefined ? 0 : cooldownUntil - now.value;
      const what =
        left > 0 ? text.coolsDown(model, timeLeft(left)) : text.failsOften(model, failures);
      const words = errorCode === undefined ? what : `${what}, ${errorCode}`;
      return { key: `model ${model}`, mark: "interrupted", label: text.failing, words };
    }),
    ...providers
      .filter(({ breaker }) => breaker !== "closed")
      .map(({ provider, breaker }): Line => {
        const words = text.breaker(provider, breaker);
        return { key: `provider ${provider}`, mark: "failed", label: text.failing, words };
      }),
  ];
}

function waitingLines(devices: number): readonly Line[] {
  const senders = waitingSenders.value;
  return [
    ...(senders === 0
      ? []
      : [
          {
            ...{ key: "senders", mark: "approval" as const, label: text.waitsForYou },
            words: filled(text.sendersAsk(senders), {
              command: <code>openclaw pairing list</code>,
            }),
          },
        ]),
    ...(devices === 0
      ? []
      : [
          {
            ...{ key: "devices", mark: "approval" as const, label: text.waitsForYou },
            words: filled(text.devicesAsk(devices), {
              command: <code>openclaw devices list</code>,
            }),
          },
        ]),
  ];
}
