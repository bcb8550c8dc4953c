import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { useFilters } from "../../components/filters.js";
import { words } from "../../components/schema-form/field.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { SchemaForm } from "../../components/schema-form/schema-form.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { gateway, isLive, mayCall, missingScope } from "../../state/link.js";
import { inLocale } from "../../text/catalogue.js";
import { text } from "./messages.js";
import { SaveButtons, SettingsDialogs, SettingsNotes } from "./saving.js";
import { fault, form, loadSettings, schema } from "./settings.js";
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
      <SettingsNotes />
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
      <SettingsDialogs />
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
          <section key={section.key} class="found">
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
