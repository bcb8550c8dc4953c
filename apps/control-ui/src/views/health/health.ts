import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { saveFile } from "../../components/save-file.js";
import { faultOf } from "../../state/fault.js";
import { call, mayCall, onEvent, onOpened } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Health of the gateway, and what it stores. */
export interface HealthPage {
  readonly health: GatewayMethodResult<"host.health">;
  readonly status: GatewayMethodResult<"host.status">;
  readonly storage: GatewayMethodResult<"host.storage">;
  /** Undefined for a token that may not read them. */
  readonly backups: GatewayMethodResult<"backups.list"> | undefined;
}

/** Health of the gateway. */
export const health = watched(async (): Promise<HealthPage> => {
  const [checks, status, storage, backups] = await Promise.all([
    call("host.health", {}),
    call("host.status", {}),
    call("host.storage", {}),
    mayCall("backups.list") ? call("backups.list", {}) : undefined,
  ]);
  return { health: checks, status, storage, backups };
});

/** True while a backup is made. */
export const isBackingUp = signal(false);
/** Backup that is downloaded, with its part in percent. */
export const download = signal<{ readonly name: string; readonly percent: number } | undefined>(
  undefined,
);

/** Backs up the database, as `openclaw db backup` does. */
export async function backUp(): Promise<void> {
  if (isBackingUp.peek()) return;
  isBackingUp.value = true;
  await health.change(() => call("backups.create", {}));
  isBackingUp.value = false;
}

/** Backup that the gateway restarts with. */
export const staged = signal<GatewayMethodResult<"backups.restore"> | undefined>(undefined);

/**
 * Restarts the gateway with a backup, as `openclaw db restore` puts it back.
 * @param name - name of the backup
 */
export async function restore(name: string): Promise<void> {
  try {
    staged.value = await call("backups.restore", { name });
    health.fault.value = undefined;
  } catch (error) {
    health.fault.value = faultOf(error);
  }
}

// The next connection is that to the restarted gateway.
onOpened(() => {
  staged.value = undefined;
});

/**
 * Saves a backup as a file of the person.
 * @param name - name of the backup
 */
export async function downloadBackup(name: string): Promise<void> {
  if (download.peek() !== undefined) return;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let offset: number | undefined = 0;
  try {
    while (offset !== undefined) {
      const part: GatewayMethodResult<"backups.read"> = await call("backups.read", {
        ...{ name, offset },
      });
      parts.push(Uint8Array.from(atob(part.content), (letter) => letter.charCodeAt(0)));
      offset = part.nextOffset;
      const percent = offset === undefined ? 100 : Math.floor((100 * offset) / part.bytes);
      download.value = { name, percent };
    }
    saveFile(new Blob(parts), name, "application/vnd.sqlite3");
    health.fault.value = undefined;
  } catch (error) {
    health.fault.value = faultOf(error);
  }
  download.value = undefined;
}

for (const name of ["config.changed", "plugins.changed"] as const) {
  onEvent(name, () => health.refresh());
}
