import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ReadersOnly } from "../../components/closed-view.js";
import { type Fact, Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import { PageBar } from "../../components/page-bar.js";
import { StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { bytes, duration } from "../../text/format.js";
import { Backups } from "./backups.js";
import { Doctor } from "./doctor.js";
import { type HealthPage, health } from "./health.js";
import { text } from "./messages.js";
import "../../styles/views/plugins.css";
import "../../styles/views/models.css";

/** Seconds after which the health is read again; no event reports it. */
const EVERY_S = 20;

/** Checks of the gateway, its database with its backups, and its version. */
export function HealthView() {
  return (
    <ReadersOnly method="host.health" scope="operator.read">
      <Health />
    </ReadersOnly>
  );
}

function Health() {
  useEffect(() => health.show(), []);
  const tick = Math.floor(now.value / (EVERY_S * 1000));
  useEffect(() => health.refresh(), [tick]);
  const page = health.value.value;
  return (
    <>
      <PageBar title={text.title}>{page !== undefined && <CopyReport page={page} />}</PageBar>
      {health.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={health.fault.value} />
        </div>
      )}
      {page === undefined ? (
        health.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={text.checks}>
            <Checks page={page} />
            <Doctor />
            <Backups page={page} />
          </div>
          <div tabIndex={0} role="region" aria-label={text.gateway}>
            <Gateway page={page} />
            <Storage page={page} />
          </div>
        </div>
      )}
    </>
  );
}

function CopyReport({ page }: { page: HealthPage }) {
  const isCopied = useSignal(false);
  const { health: checks, status, storage } = page;
  return (
    <button
      class="btn small"
      type="button"
      onClick={() => {
        const report = JSON.stringify({ health: checks, status, storage }, null, 2);
        navigator.clipboard.writeText(report).then(
          () => {
            isCopied.value = true;
          },
          () => undefined,
        );
      }}
    >
      {isCopied.value ? text.copied : text.copyReport}
    </button>
  );
}

function Checks({ page: { health: found } }: { page: HealthPage }) {
  const failed = found.checks.filter(({ ok }) => !ok);
  const needed = failed.filter(({ isRequired = true }) => isRequired);
  const words = found.ready
    ? failed.length === 0
      ? text.readyAll
      : text.readyBut(failed.length)
    : text.notReadyBecause(needed.length);
  return (
    <>
      <section class="sec">
        <p class="headline sm">{words}</p>
      </section>
      <div class="rows health" role="table" aria-label={text.checks}>
        <div class="row head" role="row">
          <span role="columnheader">
            <span class="vh">{text.state}</span>
          </span>
          <span role="columnheader">{text.check}</span>
          <span role="columnheader">{text.result}</span>
        </div>
        {found.checks.map(({ name, ok, detail, isRequired = true }) => (
          <div class="row" role="row" key={name}>
            <span role="cell">
              <StateMark
                state={ok ? "done" : isRequired ? "failed" : "stuck"}
                label={ok ? text.ok : text.failed}
              />
            </span>
            <span role="cell">
              <strong>{name}</strong>
            </span>
            <span role="cell" class={ok ? "two mid" : isRequired ? "two bad" : "two warn"}>
              {detail ?? (ok ? text.ok : text.failed)}
              {!ok && !isRequired && <span class="dim"> · {text.notNeeded}</span>}
            </span>
          </div>
        ))}
      </div>
    </>
  );
}

function Section({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section class="sec">
      <h2 class="h">{title}</h2>
      <Facts facts={facts} />
    </section>
  );
}

function Gateway({ page: { status, storage } }: { page: HealthPage }) {
  const { configuration, plugins, generation, skillsLeftOut, hookProblems } = status;
  return (
    <Section
      title={text.gateway}
      facts={[
        [text.version, status.version],
        [text.up, duration(Math.max(0, now.value - status.startedAt), "s")],
        [text.folder, storage.folder],
        [text.workspace, status.workspaceDir],
        [
          text.configuration,
          configuration.files.length === 0 ? text.defaults : configuration.files.join(", "),
        ],
        [text.pending, configuration.pending.join(", ")],
        [text.notice, configuration.notice],
        [text.turns, text.unfinished(status.turns.unfinished)],
        [text.queueMode, status.queueMode],
        [
          text.generation,
          text.pluginsOf(generation, plugins.loaded, plugins.disabled, plugins.failed),
        ],
        [text.skills, skillsLeftOut.map(({ message }) => message).join("; ")],
        [text.hooks, hookProblems.join("; ")],
      ]}
    />
  );
}

function Storage({ page: { status, storage } }: { page: HealthPage }) {
  const { databaseBytes, pluginBytes, logBytes, backupBytes, freeBytes, totalBytes } = storage;
  const { dialect, name, lost } = status.database;
  return (
    <Section
      title={text.storage}
      facts={[
        [
          text.database,
          text.databaseOf(dialect, databaseBytes === undefined ? name : bytes(databaseBytes)),
        ],
        [text.lost, lost],
        [text.pluginData, bytes(pluginBytes)],
        [text.logs, bytes(logBytes)],
        [text.backupsSize, bytes(backupBytes)],
        [text.disk, text.diskOf(bytes(freeBytes), bytes(totalBytes))],
      ]}
    />
  );
}
