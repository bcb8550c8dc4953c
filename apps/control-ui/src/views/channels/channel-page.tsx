import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { CrumbBar } from "../../components/crumb-bar.js";
import { type Fact, Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import { Field, FormDialog } from "../../components/form-dialog.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { SchemaForm } from "../../components/schema-form/schema-form.js";
import { channels } from "../../state/host.js";
import { gateway, mayCall, missingScope } from "../../state/link.js";
import { shortTime } from "../../text/format.js";
import { SaveButtons, SettingsDialogs, SettingsNotes } from "../settings/saving.js";
import { form, loadSettings, schema } from "../settings/settings.js";
import {
  type ChannelState,
  change,
  closedBecause,
  fault,
  loadSetup,
  nameOf,
  setup,
  tests,
} from "./channels.js";
import { stateWords, TestButton, testWords } from "./list.js";
import { text } from "./messages.js";
import { WaitingPeople } from "./people.js";

/** One channel: the steps to set it up, its settings, its state, a test, and a message. */
export function ChannelPage({ id }: { id: string }) {
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    if (mayCall("channels.describe")) void loadSetup(id);
    if (mayCall("config.get")) void loadSettings();
  }, [id, isOpen]);
  const own = setup.value?.channel === id ? setup.value : undefined;
  const states = channels.value.filter(({ channel }) => channel === id);
  return (
    <>
      <CrumbBar view={text.title} path="/channels" title={id} isId>
        <SaveButtons isText={false} />
      </CrumbBar>
      <SettingsNotes />
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {own === undefined || schema.value === undefined ? (
        <div class="page" aria-busy={fault.value === undefined} />
      ) : (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={text.settings}>
            <WaitingPeople />
            {own.steps.length > 0 && (
              <section class="sec">
                <h2 class="h">{text.steps}</h2>
                <ol class="channel-steps">
                  {own.steps.map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ol>
              </section>
            )}
            <ChannelSettings id={id} own={own.settings} />
          </div>
          <div tabIndex={0} role="region" aria-label={text.state}>
            {states.map((state) => (
              <Account key={nameOf(state)} state={state} plugin={own.pluginId} />
            ))}
          </div>
        </div>
      )}
      <SettingsDialogs />
    </>
  );
}

function ChannelSettings({ id, own }: { id: string; own: unknown }) {
  const base = ["channels", id];
  const common = commonSchema(schema.value?.schema);
  return (
    <fieldset class="form" disabled={missingScope("operator.admin") !== undefined}>
      {own === undefined ? (
        <p class="dim">{text.noSchema}</p>
      ) : (
        <SchemaForm state={form} schema={own} base={base} />
      )}
      <details class="adv">
        <summary>{text.common}</summary>
        <SchemaForm state={form} schema={common} base={base} />
      </details>
      <p class="dim t12">
        {text.accounts} <Link href="/settings/channels">{text.allSettings}</Link>
      </p>
    </fieldset>
  );
}

/** Returns the schema of the settings that every channel has, without other accounts. */
function commonSchema(whole: unknown): unknown {
  const keys = ["properties", "channels", "additionalProperties"];
  const found = keys.reduce<unknown>(
    (part, key) => (isRecord(part) ? part[key] : undefined),
    whole,
  );
  if (!isRecord(found) || !isRecord(found.properties)) return { properties: {} };
  const { accounts: _accounts, ...properties } = found.properties;
  return { ...found, properties };
}

function Account({ state, plugin }: { state: ChannelState; plugin: string }) {
  const isSending = useSignal(false);
  const name = nameOf(state);
  const tested = tests.value.get(name);
  const { received, ignored, invalid, undelivered, restarts, lastMessageAt, lastFailure } = state;
  const isIdle = ["unconfigured", "disabled", "incomplete"].includes(state.state);
  const rows: readonly Fact[] = [
    [text.state, stateWords(state)],
    [text.plugin, plugin],
    ...(isIdle
      ? []
      : ([
          [text.received, received.toLocaleString()],
          [text.ignored, ignored.toLocaleString()],
          [text.invalid, invalid.toLocaleString()],
          [text.undelivered, undelivered.toLocaleString()],
          [text.restarts, restarts.toLocaleString()],
          [text.lastMessage, lastMessageAt === undefined ? "–" : shortTime(lastMessageAt)],
          [text.lastFailure, lastFailure?.message ?? "–"],
        ] as const)),
  ];
  const reason = isIdle ? text.notRunning : closedBecause();
  return (
    <section class="sec">
      <h2 class="h">
        {name}
        <span class="end">
          <TestButton state={state} />
        </span>
      </h2>
      {tested !== undefined && (
        <p class="note t12" data-s={tested.ok ? "done" : "failed"} role="status">
          {testWords(tested, name)}
        </p>
      )}
      <Facts facts={rows} />
      <button
        class="btn small"
        type="button"
        aria-disabled={reason !== undefined}
        title={reason}
        onClick={() => {
          if (reason === undefined) isSending.value = true;
        }}
      >
        {text.send}
      </button>
      {isSending.value && <SendDialog state={state} onClose={() => (isSending.value = false)} />}
    </section>
  );
}

function SendDialog({ state, onClose }: { state: ChannelState; onClose(): void }) {
  const { channel, accountId } = state;
  const to = useSignal("");
  const message = useSignal("");
  const sent = useSignal<string | undefined>(undefined);
  const send = async () => {
    const conversationId = to.value.trim();
    const account = accountId === undefined ? {} : { accountId };
    const done = await change("channels.send", {
      ...{ channel, conversationId, text: message.value },
      ...account,
    });
    if (done === undefined) return;
    sent.value = conversationId;
    message.value = "";
  };
  const recipient = to.value.trim();
  return (
    <FormDialog
      title={text.send}
      help={text.sendHelp}
      submit={recipient === "" ? text.sendNow : text.confirmSend(channel, recipient)}
      isReady={recipient !== "" && message.value.trim() !== "" && closedBecause() === undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <Field label={text.recipient} value={to} />
      <Field label={text.message} value={message} isLong />
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
      {sent.value !== undefined && (
        <p class="note t12" data-s="done" role="status">
          {text.sent(sent.value)}
        </p>
      )}
    </FormDialog>
  );
}
