import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { useFilters } from "../../components/filters.js";
import { words } from "../../components/schema-form/field.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { SchemaForm } from "../../components/schema-form/schema-form.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { hostStatus } from "../../state/host.js";
import { gateway, isLive, mayCall, missingScope } from "../../state/link.js";
import { filled, inLocale } from "../../text/catalogue.js";
import { ConflictDialog, TextConflictDialog } from "./conflict-dialog.js";
import { text } from "./messages.js";
import { Keys, ReviewDialog } from "./review-dialog.js";
import {
  discardAll,
  fault,
  form,
  isStale,
  loadSettings,
  reviewForm,
  reviewText,
  schema,
  step,
  textFile,
} from "./settings.js";
import { TextEditor } from "./text-editor.js";
import "../../styles/views/settings.css";

/** Section of the path that shows the file as text. */
const TEXT = "json5";
/** Keys that are no setting. */
const NO_SETTINGS: ReadonlySet<string> = new Set(["$schema"]);

/** Settings: a form made from the schema beside the file as text, with the difference before saving (UI-021). */
export function SettingsView() {
  const [path] = useLocation();
  const { chosen, choose } = useFilters("settings");
  const find = useRef<HTMLInputElement>(null);
  useFocusKey(find);
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (isOpen && mayCall("config.get")) void loadSettings();
  }, [isOpen]);
  const sections = sectionsOf();
  const asked = decodeURIComponent(/^\/settings\/([^/]+)/.exec(path)?.[1] ?? "");
  const section = asked === "" ? sections[0]?.key : asked;
  const query = chosen("q").trim().toLowerCase();
  if (isOpen && !mayCall("config.get")) {
    return (
      <div class="empty">
        <h1>{text.mayNotSee}</h1>
        <p>{text.needsRead}</p>
      </div>
    );
  }
  const isText = section === TEXT;
  return (
    <>
      <header class="bar">
        <h1>
          <span class="clip">{text.title}</span>
        </h1>
        <div class="search">
          <input
            ref={find}
            class="input"
            placeholder={text.find}
            aria-label={text.find}
            value={chosen("q")}
            onInput={({ currentTarget }) => choose("q", currentTarget.value)}
          />
          <kbd>/</kbd>
        </div>
        <SaveButtons isText={isText} />
      </header>
      <Notes />
      <div class={isLive.value ? "split set" : "split set stale"}>
        <SectionList sections={sections} current={query === "" ? section : undefined} />
        <div>
          {isText ? (
            <TextEditor />
          ) : schema.value === undefined ? (
            <div aria-busy={fault.value === undefined} />
          ) : (
            <fieldset class="form" disabled={missingScope("operator.admin") !== undefined}>
              {query === "" ? (
                sections
                  .filter(({ key }) => key === section)
                  .map((each) => <Section key={each.key} section={each} query="" />)
              ) : (
                <Found sections={sections} query={query} />
              )}
            </fieldset>
          )}
        </div>
      </div>
      <Dialogs />
    </>
  );
}

/** Part of the configuration with its own entry. */
interface SettingsSection {
  readonly key: string;
  readonly name: string;
  readonly schema: unknown;
  readonly help: string;
}

function sectionsOf(): readonly SettingsSection[] {
  const { properties } = schema.value?.schema ?? {};
  return Object.entries(isRecord(properties) ? properties : {})
    .filter(([key]) => !NO_SETTINGS.has(key))
    .map(([key, part]) => {
      const description = isRecord(part) ? part.description : undefined;
      const help = typeof description === "string" ? description : "";
      return { ...{ key, schema: part, help }, name: inLocale(words(key)) };
    });
}

function Section({
  section: { key, name, help, schema: part },
  query,
}: {
  section: SettingsSection;
  query: string;
}) {
  const { type, properties } = isRecord(part) ? part : {};
  // A section without keys of its own is one field.
  const isField = type !== "object" && properties === undefined;
  return (
    <>
      <h2 class="formh">
        {name} <span class="dim">{help}</span>
      </h2>
      <SchemaForm
        state={form}
        schema={isField ? { properties: { [key]: part } } : part}
        base={isField ? [] : [key]}
        query={query}
      />
    </>
  );
}

function Found({ sections, query }: { sections: readonly SettingsSection[]; query: string }) {
  const list = useRef<HTMLDivElement>(null);
  const none = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const isEmpty = list.current?.querySelector(".field") === null;
    if (none.current !== null) none.current.hidden = !isEmpty;
  });
  return (
    <>
      <div ref={list} class="found">
        {sections.map((section) => (
          <section key={section.key} class="hit">
            <Section section={section} query={query} />
          </section>
        ))}
      </div>
      <div ref={none} class="empty" hidden>
        <h2>{text.noneFits}</h2>
        <p>{text.changeQuery}</p>
      </div>
    </>
  );
}

function SectionList({
  sections,
  current,
}: {
  sections: readonly SettingsSection[];
  current: string | undefined;
}) {
  return (
    <div>
      <nav class="setnav" aria-label={text.sections}>
        {sections.map(({ key, name }) => {
          const count = form.countBelow([key]);
          return (
            <Link
              key={key}
              href={`/settings/${encodeURIComponent(key)}`}
              aria-current={key === current ? "true" : undefined}
            >
              {name} {count > 0 && <span class="n">{count}</span>}
            </Link>
          );
        })}
        <Link href={`/settings/${TEXT}`} aria-current={current === TEXT ? "true" : undefined}>
          {text.asText}
        </Link>
      </nav>
    </div>
  );
}

function SaveButtons({ isText }: { isText: boolean }) {
  const { size } = form.changes.value;
  const file = textFile.value;
  const count = isText ? Number(file !== undefined && file.typed !== file.text) : size;
  const inSections = new Set([...form.changes.value.values()].map(({ path: [key] }) => key)).size;
  const missing = missingScope("operator.admin");
  const problems = isText ? 0 : form.problems.value.size;
  const reason =
    missing !== undefined
      ? text.mayNotChange(missing)
      : !isLive.value
        ? text.noConnection
        : count === 0
          ? text.nothingChanged
          : problems > 0
            ? text.fixFirst(problems)
            : undefined;
  const review = () => {
    if (reason === undefined) void (isText ? reviewText() : reviewForm());
  };
  useSaveKey(review);
  return (
    <div class="end">
      {count > 0 && (
        <span class="dim t12 num x">{text.changes(count, isText ? 1 : inSections)}</span>
      )}
      {count > 0 && (
        <button class="btn small" type="button" onClick={() => void discardAll()}>
          {text.discard}
        </button>
      )}
      <button
        class="btn small primary"
        type="button"
        aria-disabled={reason !== undefined}
        title={reason}
        onClick={review}
      >
        {text.review} <kbd>⌘S</kbd>
      </button>
    </div>
  );
}

/** Lets `Ctrl+S` review, in fields too. */
function useSaveKey(review: () => void): void {
  const latest = useRef(review);
  latest.current = review;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (step.value !== undefined) return;
      // A field takes what was typed when it loses the focus.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function Notes() {
  const missing = missingScope("operator.admin");
  const { pending = [] } = hostStatus.value?.configuration ?? {};
  return (
    <>
      {fault.value !== undefined && (
        <div class="setnote">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {isStale.value && (
        <p class="note t12 setnote" data-s="approval" role="status">
          <span>{text.changedMeanwhile}</span>
        </p>
      )}
      {pending.length > 0 && (
        <p class="note t12 setnote" data-s="approval">
          <span>
            {filled(text.restart, { keys: <Keys paths={pending.map((key) => [key])} /> })}
          </span>
        </p>
      )}
      {gateway.value !== undefined && missing !== undefined && (
        <p class="note t12 setnote">
          <span>{text.mayNotChange(missing)}</span>
        </p>
      )}
    </>
  );
}

function Dialogs() {
  const shown = step.value;
  if (shown === undefined) return null;
  if (shown.kind === "review") return <ReviewDialog of={shown.of} preview={shown.preview} />;
  if (shown.kind === "conflict") return <ConflictDialog conflict={shown} />;
  return <TextConflictDialog conflict={shown} />;
}
