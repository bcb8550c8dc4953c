import type { ComponentChildren } from "preact";
import { type MarkState, StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { channels, health, hostStatus, models, waitingSenders } from "../../state/host.js";
import { counted, duration, timeLeft } from "../../text/format.js";

/** Fact about the gateway, with its state. */
interface Line {
  readonly key: string;
  readonly mark: MarkState;
  readonly label: string;
  readonly text: ComponentChildren;
}

/** What of the gateway, its channels and its models is not well; and that the rest is. */
export function System() {
  const status = hostStatus.value;
  const checks = health.value?.checks;
  if (status === undefined || checks === undefined) return null;
  const failed = checks.filter(({ ok }) => !ok);
  const lines: readonly Line[] = [
    ...failed.map(({ name, detail }): Line => {
      const text = detail === undefined ? name : `${name}: ${detail}`;
      return { key: `check ${name}`, mark: "failed", label: "failed", text };
    }),
    ...(failed.length === 0 ? [wellLine(checks.length)] : []),
    ...channelLines(),
    ...modelLines(),
    ...waitingLines(status.waitingDevices),
    {
      ...{ key: "version", mark: "done", label: "runs" },
      text: `Version ${status.version}, up ${duration(status.uptimeMs)}, ${counted(status.plugins.loaded, "plugin")}`,
    },
    ...(status.configuration.notice === undefined
      ? []
      : [
          {
            ...{ key: "configuration", mark: "stuck" as const, label: "notice" },
            text: status.configuration.notice,
          },
        ]),
  ];
  return (
    <section class="sec" aria-labelledby="now-gateway">
      <h2 id="now-gateway">System</h2>
      <ul class="next sys">
        {lines.map(({ key, mark, label, text }) => (
          <li key={key}>
            <StateMark state={mark} label={label} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function wellLine(count: number): Line {
  return {
    ...{ key: "well", mark: "done", label: "ok" },
    text: `${counted(count, "check")}, none fails`,
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
              ...{ key: `${key} lost`, mark: "failed", label: "not delivered" },
              text: `${name} could not deliver ${counted(undelivered, "message")}${lastFailure === undefined ? "" : `: ${lastFailure.message}`}`,
            },
          ];
    if (state === "degraded") {
      const retry =
        retryAt === undefined ? "" : `, again in ${timeLeft(Math.max(0, retryAt - now.value))}`;
      const text = `${name} reconnects${retry}${problem === undefined ? "" : `: ${problem.message}`}`;
      return [{ key, mark: "stuck", label: state, text }, ...lost];
    }
    if (state === "incomplete" || (state === "stopped" && problem !== undefined)) {
      const text = `${name}: ${problem?.message ?? "settings are missing"}`;
      return [{ key, mark: "failed", label: state, text }, ...lost];
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
        left > 0 ? `cools down, ${timeLeft(left)}` : `failed ${counted(failures, "time")} in a row`;
      const text = `${model} ${what}${errorCode === undefined ? "" : `, ${errorCode}`}`;
      return { key: `model ${model}`, mark: "interrupted", label: "failing", text };
    }),
    ...providers
      .filter(({ breaker }) => breaker !== "closed")
      .map(({ provider, breaker }): Line => {
        const text = `${provider} is not called: its circuit breaker is ${breaker}`;
        return { key: `provider ${provider}`, mark: "failed", label: breaker, text };
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
            ...{ key: "senders", mark: "approval" as const, label: "waits for you" },
            text: (
              <>
                {counted(senders, "sender")} {senders === 1 ? "asks" : "ask"} to pair:{" "}
                <code>openclaw pairing list</code>
              </>
            ),
          },
        ]),
    ...(devices === 0
      ? []
      : [
          {
            ...{ key: "devices", mark: "approval" as const, label: "waits for you" },
            text: (
              <>
                {counted(devices, "device")} {devices === 1 ? "asks" : "ask"} to pair:{" "}
                <code>openclaw devices list</code>
              </>
            ),
          },
        ]),
  ];
}
