import { useEffect } from "preact/hooks";
import { useSearchParams } from "wouter-preact";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { PageBar } from "../../components/page-bar.js";
import { now } from "../../state/clock.js";
import { channels, waitingSenders } from "../../state/host.js";
import { gateway, isLive, mayCall } from "../../state/link.js";
import { loadSettings } from "../settings/settings.js";
import { ChannelPage } from "./channel-page.js";
import { devices, fault, isRead, loadChannels, people } from "./channels.js";
import { DeviceList } from "./devices.js";
import { ChannelList } from "./list.js";
import { text } from "./messages.js";
import { PeopleList, WaitingPeople } from "./people.js";
import "../../styles/views/settings.css";
import "../../styles/views/channels.css";

/** Interval in milliseconds in which what no event reports is read. */
const REFRESH_MS = 5000;

/** Channels for those who may read them. */
export function ChannelsView() {
  return (
    <ReadersOnly method="channels.list" scope="operator.read">
      <Channels />
    </ReadersOnly>
  );
}

/** Channels, the people who write to them, and devices, or one channel. */
function Channels() {
  const [search] = useSearchParams();
  const id = search.get("id");
  const view = search.get("view");
  const isOpen = gateway.value !== undefined;
  const tick = Math.floor(now.value / REFRESH_MS);
  useEffect(() => {
    if (isOpen && isLive.value) void loadChannels();
  }, [isOpen, tick]);
  useEffect(() => {
    // The settings name the owners.
    if (isOpen && mayCall("config.get")) void loadSettings();
  }, [isOpen]);
  if (id !== null) return <ChannelPage key={id} id={id} />;
  const isPeople = view === "people";
  const isDevices = view === "devices";
  const waitingDevices = devices.value?.filter(({ state }) => state === "waiting").length;
  const tabs = [
    {
      ...{ name: text.title, path: "/channels", count: channels.value.length },
      isCurrent: !isPeople && !isDevices,
    },
    {
      ...{ name: text.people, path: "/channels?view=people", count: waitingSenders.value },
      isCurrent: isPeople,
    },
    {
      ...{ name: text.devices, path: "/channels?view=devices", count: waitingDevices },
      isCurrent: isDevices,
    },
  ];
  const isClosed = isOpen && isRead.value && people.value === undefined;
  return (
    <>
      <PageBar title={text.title} tabs={tabs} />
      {isClosed && (
        <p class="note t12 channels-note" data-s="approval">
          {text.peopleClosed}
        </p>
      )}
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {!isRead.value ? (
        <div class="page" aria-busy={fault.value === undefined} />
      ) : isPeople ? (
        <PeopleList />
      ) : isDevices ? (
        <DeviceList />
      ) : (
        <div class="page">
          <WaitingPeople />
          <ChannelList />
        </div>
      )}
    </>
  );
}
