/**
 * Quality of the search and of the search before a turn, with notes and queries that were written after the ranking and its
 * limits were final. Only a run of this file reads them.
 */
import { measure } from "./questions/measure.mjs";
import { openQuestionMemory, rowsOf } from "./questions/memory.mjs";

const { memory, close } = await openQuestionMemory("fresh");
await measure(memory, rowsOf("queries", "fresh"));
await close();
