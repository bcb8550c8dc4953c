#!/usr/bin/env node
/**
 * Writes the labelled set: `documents.jsonl` and `queries.jsonl`. The output depends only on the sources in this
 * folder; run it after a change of them.
 */
import { writeFileSync } from "node:fs";
import {
  EVENTS,
  FIRST_NAMES,
  PERSON_FAMILIES,
  PROJECT_FAMILIES,
  PROJECTS,
  SURNAMES,
} from "./families.mjs";
import { HAND_WRITTEN, UNANSWERABLE } from "./hand-written.mjs";

const FAMILIES_PER_PERSON = 9;
const DAYS = 720;
const FIRST_DAY = Date.UTC(2025, 0, 6);
const DAY_MS = 86_400_000;

/** Returns numbers from 0 to 1 that depend on the seed only (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomFrom(27);
const pick = (list) => list[Math.floor(random() * list.length)];
const shuffled = (list) => {
  const copy = [...list];
  for (let end = copy.length - 1; end > 0; end -= 1) {
    const other = Math.floor(random() * (end + 1));
    [copy[end], copy[other]] = [copy[other], copy[end]];
  }
  return copy;
};
const fill = (template, fields) =>
  template.replaceAll(/\{(\w)\}/g, (_, name) => fields[name] ?? "");
const isoDay = (day) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);

const documents = [];
const queries = [];

function addDocument(path, text, date) {
  const id = `d${String(documents.length + 1).padStart(4, "0")}`;
  documents.push({ id, path, ...(date === undefined ? {} : { date }), text });
  return id;
}

function addQuery(kind, text, relevant, more = {}) {
  const number = queries.length + 1;
  // Ranking is tuned with every second query, and measured with the others.
  const split = number % 2 === 0 ? "report" : "tune";
  queries.push({ id: `q${String(number).padStart(3, "0")}`, kind, split, text, relevant, ...more });
}

const people = FIRST_NAMES.map((first, index) => `${first} ${SURNAMES[index % SURNAMES.length]}`);
const slug = (name) => name.toLowerCase().replaceAll(" ", "-");

/** Facts by family and value, for the queries about several documents. */
const facts = [];

function addFacts(folder, names, families, count) {
  for (const name of names) {
    for (const family of shuffled(families).slice(0, count)) {
      const value = pick(family.values);
      const date = isoDay(Math.floor(random() * DAYS));
      const text = fill(pick(family.documents), { n: name, v: value });
      const id = addDocument(`${folder}/${slug(name)}/${family.id}.md`, text, date);
      facts.push({ id, family, name, value, date });
    }
  }
}

addFacts("context/people", people, PERSON_FAMILIES, FAMILIES_PER_PERSON);
const extraPeople = FIRST_NAMES.map(
  (first, index) => `${first} ${SURNAMES[(index + 4) % SURNAMES.length]}`,
);
addFacts("context/people", extraPeople, PERSON_FAMILIES, FAMILIES_PER_PERSON);
addFacts("projects", PROJECTS, PROJECT_FAMILIES, PROJECT_FAMILIES.length);

const days = [];
for (let day = 0; day < DAYS; day += 1) {
  const date = isoDay(day);
  const events = shuffled(EVENTS)
    .slice(0, 1 + Math.floor(random() * 3))
    .map((event) => fill(event, { p: pick(people), j: pick(PROJECTS) }));
  const text = events.map((event) => `- ${event}`).join("\n");
  days.push({ date, events, id: addDocument(`daily/${date}.md`, text, date) });
}

const written = HAND_WRITTEN.map(([text, exact, paraphrases], index) => ({
  id: addDocument(`context/notes/note-${String(index + 1).padStart(2, "0")}.md`, text),
  exact,
  paraphrases,
}));

// A later statement about the same thing replaces an earlier one.
const updates = shuffled(facts)
  .slice(0, 40)
  .map((fact) => {
    const value = pick(fact.family.values.filter((each) => each !== fact.value));
    const date = isoDay(DAYS + Math.floor(random() * 100));
    const text = `Correction: ${fill(fact.family.documents[0], { n: fact.name, v: value })}`;
    const folder = PROJECTS.includes(fact.name) ? "projects" : "context/people";
    const id = addDocument(`${folder}/${slug(fact.name)}/${fact.family.id}-${date}.md`, text, date);
    return { id, fact, value };
  });
const updated = new Set(updates.map(({ fact }) => fact.id));
const stable = shuffled(facts.filter(({ id }) => !updated.has(id)));

for (const { family, name, value, id } of stable.slice(0, 40)) {
  addQuery("exact", fill(pick(family.exact), { n: name, v: value }), [id]);
}
for (const { exact, id } of written) addQuery("exact", exact, [id]);
for (const { family, name, id } of stable.slice(40, 100)) {
  addQuery("paraphrase", fill(pick(family.paraphrase), { n: name }), [id]);
}
for (const { paraphrases, id } of written) {
  for (const paraphrase of paraphrases) addQuery("paraphrase", paraphrase, [id]);
}

const groups = new Map();
for (const fact of facts) {
  const key = `${fact.family.id}/${fact.value}`;
  groups.set(key, [...(groups.get(key) ?? []), fact]);
}
const several = shuffled([...groups.values()].filter(({ length }) => length >= 2 && length <= 8));
for (const group of several.slice(0, 40)) {
  const [{ family, value }] = group;
  const later = updates
    .filter(({ fact, value: next }) => fact.family === family && next === value)
    .map(({ id }) => id);
  const current = group.map(({ id }) => id).filter((id) => !updated.has(id));
  addQuery("multi", fill(family.all, { v: value }), [...current, ...later]);
}

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
for (const { date, id } of shuffled(days).slice(0, 40)) {
  const spoken = longDate.format(new Date(date));
  const [text, more] = pick([
    [`What happened on ${spoken}?`, {}],
    [`notes of ${date}`, {}],
    ["What did I do that day?", { from: date, to: date }],
  ]);
  addQuery("time", text, [id], more);
}

for (const { id, fact } of updates) {
  const { family, name, value } = fact;
  addQuery("update", fill(pick(family.exact), { n: name, v: value }), [id], {
    superseded: [fact.id],
  });
}

for (const text of UNANSWERABLE) addQuery("none", text, []);
const known = new Set(facts.map(({ name, family }) => `${name}/${family.id}`));
for (const name of shuffled(people).slice(0, 20)) {
  const family = pick(PERSON_FAMILIES.filter(({ id }) => !known.has(`${name}/${id}`)));
  addQuery("none", fill(family.paraphrase[0], { n: name }), []);
}
const STRANGERS = ["Balthazar Quist", "Ottoline Frobisher", "Ignatius Pell", "Perpetua Vane"];
for (const name of STRANGERS) {
  for (const family of shuffled(PERSON_FAMILIES).slice(0, 4)) {
    addQuery("none", fill(family.exact[0], { n: name, v: family.values[0] }), []);
  }
}

const lines = (rows) => `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
const place = (name) => new URL(name, import.meta.url);
writeFileSync(place("documents.jsonl"), lines(documents));
writeFileSync(place("queries.jsonl"), lines(queries));
const kinds = Object.entries(Object.groupBy(queries, ({ kind }) => kind));
const counts = kinds.map(([kind, { length }]) => `${kind} ${length}`).join(", ");
process.stdout.write(`${documents.length} documents, ${queries.length} queries: ${counts}\n`);
