import { Link, useLocation } from "wouter-preact";
import { BrandMark, Icon } from "../components/icons.js";
import { signOut } from "../state/credential.js";
import { nextTheme, theme } from "../state/theme.js";
import { text } from "./messages.js";
import { openMore, openPalette } from "./overlays.js";
import { isAt, PLACE_GROUPS, type Place, type PlaceGroup } from "./place.js";
import { PLACES } from "./places.js";

/** Navigation beside the view. */
export function Rail() {
  const [path] = useLocation();
  return (
    <nav class="rail" aria-label={text.main}>
      <Link class="brand" href="/">
        <BrandMark />
        {text.product}
        <small>{location.host}</small>
      </Link>
      <button
        class="find"
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => openPalette()}
      >
        <Icon name="search" />
        <span>{text.find}</span>
        <kbd>⌘K</kbd>
      </button>
      {[undefined, ...PLACE_GROUPS].map((group) => (
        <PlaceList key={group} group={group} path={path} />
      ))}
      <div class="who">
        <button class="btn quiet small" type="button" onClick={() => signOut()}>
          {text.signOut}
        </button>
        <button
          class="btn quiet small icon"
          type="button"
          aria-label={text.theme(text[theme.value])}
          title={text.theme(text[theme.value])}
          onClick={nextTheme}
        >
          <Icon name="theme" />
        </button>
      </div>
    </nav>
  );
}

/** Places of one heading. */
export function PlaceList({
  group,
  path,
  onGo,
}: {
  group: PlaceGroup | undefined;
  path: string;
  /** Called when a place is chosen. */
  onGo?: (() => void) | undefined;
}) {
  const own = PLACES.filter((place) => place.group === group);
  if (own.length === 0) return null;
  return (
    <>
      {group !== undefined && <h2>{GROUP_NAMES[group]}</h2>}
      <ul>
        {own.map((place) => (
          <li key={place.path}>
            <Link
              href={place.path}
              aria-current={isAt(place, path) ? "page" : undefined}
              onClick={onGo}
            >
              {place.name}
              <Count place={place} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const GROUP_NAMES: Readonly<Record<PlaceGroup, string>> = {
  work: text.work,
  agents: text.agents,
  control: text.control,
  system: text.systemGroup,
};

/** Navigation below the view, on narrow screens. */
export function TabBar() {
  const [path] = useLocation();
  return (
    <nav class="tabbar" aria-label={text.main}>
      {PLACES.filter(({ group }) => group === undefined).map((place) => (
        <Link
          key={place.path}
          href={place.path}
          aria-current={isAt(place, path) ? "page" : undefined}
        >
          <Icon name={place.icon} />
          <span>{place.name}</span>
          <Badge place={place} />
        </Link>
      ))}
      <button type="button" aria-haspopup="dialog" onClick={openMore}>
        <Icon name="more" />
        <span>{text.more}</span>
      </button>
    </nav>
  );
}

/** Only what waits for a person is marked. */
function Badge({ place: { count } }: { place: Place }) {
  if (count?.value.state !== "approval" || count.value.number === 0) return null;
  return <b>{count.value.number}</b>;
}

function Count({ place: { count } }: { place: Place }) {
  if (count === undefined || count.value.number === 0) return null;
  const { number, state } = count.value;
  return (
    <span class="count" data-s={state}>
      {number}
      <span class="vh"> {COUNT_WORDS[state] ?? state}</span>
    </span>
  );
}

/** What a number counts, by the state. */
const COUNT_WORDS: Readonly<Record<string, string>> = {
  approval: text.waiting,
  running: text.running,
  failed: text.failed,
};
