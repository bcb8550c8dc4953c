import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Choice } from "../../components/choice.js";
import { Field, FormDialog } from "../../components/form-dialog.js";
import { call } from "../../state/link.js";
import { document, documentsOf, ofAgent, profile, spaces, tree } from "./memory.js";
import { text } from "./messages.js";
import { type Imported, importFiles } from "./transfer.js";

const TYPES = ["updates", "extends", "derives"] as const;
const KINDS = ["static", "dynamic"] as const;

/** Dialog that writes a document. */
export function NewDocumentDialog({
  onCreated,
  onClose,
}: {
  onCreated(path: string): void;
  onClose(): void;
}) {
  const path = useSignal("");
  const content = useSignal("");
  return (
    <FormDialog
      title={text.newDocument}
      submit={text.create}
      isReady={path.value.trim() !== "" && content.value.trim() !== ""}
      onSubmit={async () => {
        const written = await tree.change(() =>
          call("memory.write", {
            ...{ target: path.value.trim(), content: content.value, ...ofAgent() },
          }),
        );
        if (written !== undefined) onCreated(written.path);
        onClose();
      }}
      onClose={onClose}
    >
      <Field label={text.path} value={path} hint={text.pathHint} maxLength={512} />
      <Field label={text.content} value={content} isLong />
    </FormDialog>
  );
}

/** Dialog that connects a document with an older one. */
export function ConnectDialog({ own, onClose }: { own: string; onClose(): void }) {
  const target = useSignal("");
  const type = useSignal("");
  const paths = documentsOf(tree.value.value ?? []).map((each) => each.path);
  return (
    <FormDialog
      title={text.connectTitle}
      help={text.connectHelp}
      submit={text.connect}
      isReady={target.value !== ""}
      onSubmit={async () => {
        await document.change(() =>
          call("memory.connect", {
            ...{ source: own, target: target.value, ...ofAgent() },
            type: TYPES.find((each) => each === type.value) ?? "updates",
          }),
        );
        onClose();
      }}
      onClose={onClose}
    >
      <Choice
        label={text.type}
        value={type.value}
        options={TYPES.slice(1)}
        none={text.typeOf("updates")}
        wordOf={text.typeOf}
        onChoose={(value) => (type.value = value)}
      />
      <Field
        label={text.target}
        value={target}
        list={paths.filter((each) => each !== own)}
        maxLength={512}
      />
    </FormDialog>
  );
}

/** Dialog that sets a fact about the operator. */
export function FactDialog({ onClose }: { onClose(): void }) {
  const key = useSignal("");
  const value = useSignal("");
  const kind = useSignal("");
  return (
    <FormDialog
      title={text.addFact}
      submit={text.setFact}
      isReady={key.value.trim() !== "" && value.value.trim() !== ""}
      onSubmit={async () => {
        await profile.change(() =>
          call("memory.setFact", {
            ...{ key: key.value.trim(), value: value.value.trim(), ...ofAgent() },
            type: KINDS.find((each) => each === kind.value) ?? "static",
          }),
        );
        onClose();
      }}
      onClose={onClose}
    >
      <Field label={text.factKey} value={key} hint={text.factKeyHint} maxLength={200} />
      <Field label={text.value} value={value} isLong />
      <Choice
        label={text.factType}
        value={kind.value}
        options={["dynamic"]}
        none={text.static}
        wordOf={() => text.dynamic}
        onChoose={(chosen) => (kind.value = chosen)}
      />
    </FormDialog>
  );
}

/** Dialog that creates a space. */
export function SpaceDialog({ onClose }: { onClose(): void }) {
  const name = useSignal("");
  const description = useSignal("");
  return (
    <FormDialog
      title={text.newSpace}
      submit={text.createSpace}
      isReady={name.value.trim() !== ""}
      onSubmit={async () => {
        await spaces.change(() =>
          call("memory.createSpace", {
            ...{ space: name.value.trim(), description: description.value.trim(), ...ofAgent() },
          }),
        );
        onClose();
      }}
      onClose={onClose}
    >
      <Field label={text.name} value={name} maxLength={100} />
      <Field label={text.description} value={description} />
    </FormDialog>
  );
}

/** Dialog that adds a document to a space. */
export function AssignDialog({ space, onClose }: { space: string; onClose(): void }) {
  const path = useSignal("");
  return (
    <FormDialog
      title={text.addToSpace(space)}
      submit={text.add}
      isReady={path.value !== ""}
      onSubmit={async () => {
        await spaces.change(() =>
          call("memory.assign", { space, path: path.value, isIn: true, ...ofAgent() }),
        );
        onClose();
      }}
      onClose={onClose}
    >
      <Field
        label={text.path}
        value={path}
        list={documentsOf(tree.value.value ?? []).map((each) => each.path)}
      />
    </FormDialog>
  );
}

/** Dialog that imports files, and then says what was taken over. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const id = useId();
  const files = useSignal<readonly File[]>([]);
  const folder = useSignal("");
  const result = useSignal<Imported | undefined>(undefined);
  const done = result.value;
  return (
    <FormDialog
      title={text.importTitle}
      help={text.importHelp}
      submit={done === undefined ? text.importNow : text.close}
      isReady={files.value.length > 0}
      onSubmit={async () => {
        if (done === undefined) result.value = await importFiles(files.value, folder.value.trim());
        else onClose();
      }}
      onClose={onClose}
    >
      {done === undefined ? (
        <>
          <p class="stack-s">
            <label for={id}>{text.files}</label>
            <input
              class="input"
              id={id}
              type="file"
              multiple
              accept=".md,.txt,.jsonl"
              onChange={({ currentTarget }) => (files.value = [...(currentTarget.files ?? [])])}
            />
          </p>
          <Field label={text.folder} value={folder} hint={text.folderHint} />
        </>
      ) : (
        <div role="status">
          <p>{text.imported(done.documents, done.others)}</p>
          {done.skipped.map((why) => (
            <p class="warn t12" key={why}>
              {why}
            </p>
          ))}
        </div>
      )}
    </FormDialog>
  );
}
