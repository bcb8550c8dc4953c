import type { DeviceSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { ActButton } from "../../components/act-button.js";
import { FaultNote } from "../../components/fault-note.js";
import { Field, FormDialog } from "../../components/form-dialog.js";
import { type MarkState, StateMark } from "../../components/state-mark.js";
import { shortTime } from "../../text/format.js";
import { change, closedBecause, devices, fault } from "./channels.js";
import { text } from "./messages.js";

const MARKS: Readonly<Record<DeviceSummary["state"], MarkState>> = {
  waiting: "approval",
  approved: "done",
  rejected: "blocked",
  revoked: "interrupted",
};

const WORDS: Readonly<Record<DeviceSummary["state"], string>> = {
  waiting: text.waitsFor,
  approved: text.approved,
  rejected: text.rejected,
  revoked: text.deviceRevoked,
};

/** What a dialog asks for a device. */
interface Asked {
  readonly what: "approve" | "revoke" | "rename";
  readonly device: DeviceSummary;
}

/** Devices with their keys, each with what may be decided. */
export function DeviceList() {
  const asked = useSignal<Asked | undefined>(undefined);
  const all = devices.value;
  if (all === undefined) return <div class="page" />;
  if (all.length === 0) {
    return (
      <div class="empty">
        <h2>{text.noDevices}</h2>
        <p>{text.noDevicesHelp}</p>
      </div>
    );
  }
  return (
    <div class="page">
      <div class="rows devices" role="table" aria-label={text.devices}>
        <div class="row head" role="row">
          <span role="columnheader">
            <span class="vh">{text.state}</span>
          </span>
          <span role="columnheader">{text.device}</span>
          <span role="columnheader" class="x">
            {text.rights}
          </span>
          <span role="columnheader" class="x">
            {text.lastSeen}
          </span>
          <span role="columnheader">
            <span class="vh">{text.action}</span>
          </span>
        </div>
        {all.map((device) => (
          <DeviceRow
            key={device.deviceId}
            device={device}
            onAsk={(what) => {
              asked.value = { what, device };
            }}
          />
        ))}
      </div>
      {asked.value !== undefined && (
        <DeviceDialog asked={asked.value} onClose={() => (asked.value = undefined)} />
      )}
    </div>
  );
}

function DeviceRow({ device, onAsk }: { device: DeviceSummary; onAsk(what: Asked["what"]): void }) {
  const { name, state, code, fingerprint, scopes, address, isConnected } = device;
  const reason = closedBecause();
  const seen = device.lastSeenAt ?? device.requestedAt;
  return (
    <div class="row" role="row">
      <span role="cell">
        <StateMark state={MARKS[state]} label={WORDS[state]} />
      </span>
      <span role="cell" class="two">
        <strong>{name}</strong> {code !== undefined && <code class="paircode">{code}</code>}
        <br />
        <span class="sub mono t12">
          {fingerprint} · {WORDS[state]}
        </span>
      </span>
      <span role="cell" class="x mid t12" title={scopes.join(" ")}>
        {scopes.join(" ")}
      </span>
      <span role="cell" class="x sub" title={address}>
        {isConnected ? text.connectedNow : shortTime(seen)} · {address}
      </span>
      <span role="cell" class="free end">
        {state === "waiting" && (
          <ActButton
            scope="operator.admin"
            reason={reason}
            label={text.rejectNamed(name)}
            isQuiet
            onAct={() => void change("devices.reject", { device: device.deviceId })}
          >
            {text.reject}
          </ActButton>
        )}
        {state === "approved" ? (
          <>
            <ActButton
              scope="operator.admin"
              reason={reason}
              label={text.renameNamed(name)}
              isQuiet
              onAct={() => onAsk("rename")}
            >
              {text.rename}
            </ActButton>
            <ActButton
              scope="operator.admin"
              reason={reason}
              label={text.revokeNamed(name)}
              isDangerous
              isQuiet
              onAct={() => onAsk("revoke")}
            >
              {text.revoke}
            </ActButton>
          </>
        ) : (
          <ActButton
            scope="operator.admin"
            reason={reason}
            label={text.approveNamed(name)}
            onAct={() => onAsk("approve")}
          >
            {text.approve}
          </ActButton>
        )}
      </span>
    </div>
  );
}

function DeviceDialog({ asked: { what, device }, onClose }: { asked: Asked; onClose(): void }) {
  const { deviceId, name, code, fingerprint } = device;
  const typed = useSignal(name);
  const words = {
    approve: [text.approveTitle(name), text.approveHelp(code ?? fingerprint), text.approve],
    revoke: [text.revokeDeviceTitle(name), text.revokeDeviceHelp, text.revoke],
    rename: [text.renameTitle(name), undefined, text.save],
  }[what];
  const [title = "", help, action = ""] = words;
  const act = async () => {
    const done =
      what === "rename"
        ? await change("devices.rename", { device: deviceId, name: typed.value.trim() })
        : await change(what === "approve" ? "devices.approve" : "devices.revoke", {
            device: deviceId,
          });
    if (done !== undefined) onClose();
  };
  return (
    <FormDialog
      title={title}
      help={help}
      submit={action}
      isDangerous={what === "revoke"}
      isReady={closedBecause() === undefined}
      onSubmit={act}
      onClose={onClose}
    >
      {what === "rename" && <Field label={text.newName} value={typed} maxLength={64} />}
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
    </FormDialog>
  );
}
