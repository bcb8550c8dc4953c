import { Link, useLocation } from "wouter-preact";
import { BrandMark, Icon } from "../components/icons.js";
import { signOut } from "../state/credential.js";
import { nextTheme, theme } from "../state/theme.js";
import { openPalette } from "./overlays.js";
import { isAt, PLACES, type Place } from "./places.js";

/** Navigation beside the view. */
export function Rail() {
  const [path] = useLocation();
  return (
    <nav class="rail" aria-label="Main">
      <Link class="brand" href="/">
        <BrandMark />
        OpenClaw
        <small>{location.host}</small>
      </Link>
      <button
        class="find"
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => openPalette()}
      >
        <Icon name="search" />
        <span>Search or run</span>
        <kbd>⌘K</kbd>
      </button>
      <ul>
        {PLACES.map((place) => (
          <li key={place.path}>
            <Link href={place.path} aria-current={isAt(place, path) ? "page" : undefined}>
              {place.name}
              <Count place={place} />
            </Link>
          </li>
        ))}
      </ul>
      <div class="who">
        <button class="btn quiet small" type="button" onClick={() => signOut()}>
          Sign out
        </button>
        <button
          class="btn quiet small icon"
          type="button"
          aria-label={`Theme: ${theme.value}`}
          title={`Theme: ${theme.value}`}
          onClick={nextTheme}
        >
          <Icon name="theme" />
        </button>
      </div>
    </nav>
  );
}

/** Navigation below the view, on narrow screens. */
export function TabBar() {
  const [path] = useLocation();
  return (
    <nav class="tabbar" aria-label="Main">
      {PLACES.map((place) => (
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
      <button type="button" onClick={() => openPalette()}>
        <Icon name="more" />
        <span>More</span>
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
      <span class="vh"> {state === "approval" ? "waiting" : state}</span>
    </span>
  );
}
