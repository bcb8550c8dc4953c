import { useEffect } from "preact/hooks";
import { useSearchParams } from "wouter-preact";

/** Filters of the views that were left, as the query of their URL. */
const left = new Map<string, string>();

/** Filters of a view. */
export interface Filters {
  /** Query of the URL. */
  readonly query: string;
  /** Returns the chosen value; an empty text without one. */
  chosen(name: string): string;
  /** Chooses a value; an empty text removes the filter. */
  choose(name: string, value: string): void;
  /** Removes filters. */
  drop(...names: string[]): void;
}

/**
 * Returns the filters of a view. The URL has them, so that a reload and a shared link keep them; a person who returns to
 * the view finds them as they were.
 */
export function useFilters(view: string): Filters {
  const [search, setSearch] = useSearchParams();
  const query = search.toString();
  useEffect(() => {
    const before = left.get(view) ?? "";
    if (query === "" && before !== "") setSearch(new URLSearchParams(before), { replace: true });
  }, []);
  useEffect(() => {
    return () => {
      left.set(view, query);
    };
  }, [view, query]);
  return {
    query,
    chosen: (name) => search.get(name) ?? "",
    choose: (name, value) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === "") next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    drop: (...names) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const name of names) next.delete(name);
          return next;
        },
        { replace: true },
      ),
  };
}
