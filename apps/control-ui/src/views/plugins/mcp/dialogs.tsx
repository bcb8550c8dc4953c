import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { FaultNote } from "../../../components/fault-note.js";
import { Field, FormDialog } from "../../../components/form-dialog.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { entryOf, isUrlOf, removeServer, writeServer } from "./entry.js";
import { text } from "./messages.js";
import { callMcp, servers } from "./servers.js";

/** Name that the names of the tools of a server can begin with. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Adds a server, and connects to it. */
export function AddDialog({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation();
  const name = useSignal("");
  const target = useSignal("");
  const values = useSignal("");
  const fault = useSignal<Fault | undefined>(undefined);
  const isUrl = isUrlOf(target.value.trim());
  const server = name.value.trim();
  const written = { name: server, target: target.value, values: values.value };
  const parts = entryOf(written);
  const add = async () => {
    if (parts === undefined) return;
    try {
      await writeServer(server, parts);
    } catch (error) {
      fault.value = faultOf(error);
      return;
    }
    onClose();
    navigate(`/plugins?server=${encodeURIComponent(server)}`);
    // The entry stays when the server cannot be reached, as with `openclaw mcp add`.
    await servers.change(() => callMcp("mcp.test", { server }));
  };
  return (
    <FormDialog
      title={text.addTitle}
      help={text.addHelp}
      submit={text.addNow}
      isReady={NAME.test(server) && parts !== undefined}
      onSubmit={add}
      onClose={onClose}
    >
      <Field label={text.name} value={name} maxLength={64} />
      <Field label={text.addTarget} value={target} hint={text.targetHint} />
      <Field
        label={isUrl ? text.headers : text.variables}
        value={values}
        hint={isUrl ? text.headersHint : text.variablesHint}
        isLong
      />
      {!isUrl && target.value.trim() !== "" && <p class="dim t12">{text.outside}</p>}
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
    </FormDialog>
  );
}

/** Confirms that a server is removed, with what is stored about its tools. */
export function RemoveDialog({ name, onClose }: { name: string; onClose(): void }) {
  const [, navigate] = useLocation();
  const remove = async () => {
    const done = await servers.change(async () => {
      const entry = await removeServer(name);
      await callMcp("mcp.forget", { server: name, entry });
      return true;
    });
    onClose();
    if (done === true) navigate("/plugins?view=mcp");
  };
  return (
    <FormDialog
      title={text.removeOf(name)}
      help={text.removeHelp}
      submit={text.removeOf(name)}
      isDangerous
      onSubmit={remove}
      onClose={onClose}
    />
  );
}
