import { Button, Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UpdateProblem, UpdateRefusal, UpdateState } from '../../../shared/api/app.ts';
import { type ActionContext, attempt } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { countText } from '../../app/locale/numbers.ts';
import { saveText } from '../../app/save-text.ts';
import { settingTexts } from '../../app/settings-list.ts';
import { FactList } from '../../components/Figures.tsx';
import { Mark } from '../../components/Mark.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { SettingRow } from './SettingRow.tsx';
import styles from './settings.module.css';

const texts = {
  versions: {
    version: 'Adslate',
    electron: 'Electron',
    node: 'Node',
    sqlite: 'SQLite',
    platform: 'Operating system',
  },
  webHost: 'Not used: Adslate runs in your browser',
  updates: 'Updates',
  update: {
    idle: 'Adslate has not checked for updates yet.',
    checking: 'Checking for updates…',
    newest: 'This is the newest version.',
    newer: (version: string) =>
      `Adslate ${version} is available. It is installed by your package manager or your administrator.`,
    downloading: (version: string, percent: number) => `Downloading Adslate ${version}: ${countText(percent)}%`,
    ready: (version: string) => `Adslate ${version} is downloaded and verified.`,
  },
  updateFailed: {
    'bad-feed': "The update settings of this installation can't be used. Tell your administrator.",
    unreachable: "Can't reach the update server. Check your connection, then try again.",
    'timed-out': 'The update server is not responding. Try again later.',
    'no-release': 'The update server has no release for this system. Tell your administrator.',
    unsigned: 'The update was not installed: it is not signed. Tell your administrator.',
    'wrong-signature': 'The update was not installed: its signature is wrong. Tell your administrator.',
    'wrong-checksum': 'The update was not installed: the downloaded file is damaged. Try again.',
    unreadable: "The update was not installed: its list can't be used. Tell your administrator.",
    disk: "The update can't be stored. Check the free space of the disk, then try again.",
  } satisfies Record<UpdateProblem, string>,
  updateRefused: {
    'not-ready': 'The update is not ready. Check for updates again.',
    sync: 'A sync is running. Restart when it has finished.',
    task: 'An import, an export or a change of many rows is running. Restart when it has finished.',
    windows: 'Close the other windows first. They may contain text that is not saved.',
  } satisfies Record<UpdateRefusal, string>,
  check: 'Check for updates',
  restart: 'Restart to update',
  tabs: { support: 'Diagnostics', reliability: 'Reliability', licenses: 'Licenses' },
  support:
    'Diagnostic report for support: versions and recent log entries, without names, file paths or credentials. Adslate never sends it; you decide whether to share it.',
  save: 'Save report',
  notBuilt: 'This build does not include the text. Run "npm run package" to create a build that does.',
  reading: 'Loading…',
  signOut: 'Sign out',
  signOutFailed: "Couldn't sign out: Adslate is not responding. Close this window to be safe.",
} as const;

const ROWS = ['version', 'electron', 'node', 'sqlite', 'platform'] as const;
type Tab = keyof typeof texts.tabs;

/** Versions, the diagnostic report (shown before it is saved), reliability results, and licenses. */
export function AboutSection() {
  const [tab, setTab] = useState<Tab>('support');
  const info = useQuery(useApi().app.info.queryOptions()).data;
  return (
    <>
      <Mark size={36} />
      {info !== undefined && (
        <FactList
          className={styles['about-versions']}
          isNumeric
          facts={ROWS.map((name) => [texts.versions[name], info[name] ?? texts.webHost])}
        />
      )}
      <Updates />
      <Tabs value={tab} onChange={(next) => next !== null && setTab(next as Tab)} keepMounted={false}>
        <Tabs.List>
          {Object.entries(texts.tabs).map(([name, text]) => (
            <Tabs.Tab key={name} value={name}>
              {text}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="support">
          <Support />
        </Tabs.Panel>
        <Tabs.Panel value="reliability">
          <Brought what="reliability" />
        </Tabs.Panel>
        <Tabs.Panel value="licenses">
          <Brought what="licenses" />
        </Tabs.Panel>
      </Tabs>
      <SignOut />
    </>
  );
}

/** Updates exist only in the desktop app, in packages with an update feed. */
function Updates() {
  const update = useQuery(useApi().app.update.get.queryOptions()).data;
  const actions = useActions(updateActions);
  const { toasts } = useAppContext();
  const [busy, during] = useBusy();
  if (update === undefined || update.state === 'off') return null;
  const restart = async (): Promise<void> => {
    const answer = await during(actions.restart());
    if (answer?.refused != null) toasts.fail(texts.updateRefused[answer.refused]);
  };
  const isWorking = update.state === 'checking' || update.state === 'downloading';
  return (
    <div className={`${styles['settings-card']} ${styles['setting']}`}>
      <div>
        <div>{texts.updates}</div>
        <p role="status">{updateText(update)}</p>
      </div>
      {update.state === 'ready' ? (
        <Button variant="filled" loading={busy} onClick={() => void restart()}>
          {texts.restart}
        </Button>
      ) : (
        <Button disabled={isWorking} onClick={() => void actions.check()}>
          {texts.check}
        </Button>
      )}
    </div>
  );
}

function updateText(update: Exclude<UpdateState, { state: 'off' }>): string {
  switch (update.state) {
    case 'newer':
    case 'ready':
      return texts.update[update.state](update.version);
    case 'downloading':
      return texts.update.downloading(update.version, update.percent);
    case 'failed':
      return texts.updateFailed[update.problem];
    default:
      return texts.update[update.state];
  }
}

function updateActions(context: ActionContext) {
  const { update } = context.connection.client.app;
  return {
    check: () => attempt(context, () => update.check()),
    restart: () => attempt(context, () => update.restart()),
  };
}

/** A long text that can be focused and scrolled with the keyboard. */
function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable without a mouse
    <section className={styles['about-text']} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

function Support() {
  const support = useQuery(useApi().app.support.queryOptions()).data;
  if (support === undefined) return <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.reading}</p>;
  return (
    <>
      <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.support}</p>
      <Text label={texts.tabs.support} text={support.text} />
      <Group justify="flex-end" mt="xs">
        <Button onClick={() => saveText(support.fileName, support.text, 'text/plain')}>{texts.save}</Button>
      </Group>
    </>
  );
}

function Brought({ what }: { readonly what: 'reliability' | 'licenses' }) {
  const brought = useQuery(useApi().app.about.queryOptions()).data;
  if (brought === undefined) return <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.reading}</p>;
  const text = brought[what];
  return text === null ? (
    <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.notBuilt}</p>
  ) : (
    <Text label={texts.tabs[what]} text={text} />
  );
}

/** Only a window in a browser has a sign-in. */
function SignOut() {
  const { connection, toasts } = useAppContext();
  const { signOut } = connection;
  const [busy, during] = useBusy();
  if (signOut === undefined) return null;
  const run = async (): Promise<void> => {
    if (!(await during(signOut()))) toasts.fail(texts.signOutFailed);
  };
  return (
    <div className={styles['settings-card']}>
      <SettingRow id="sign-out">
        <Button loading={busy} aria-label={settingTexts['sign-out'][0]} onClick={() => void run()}>
          {texts.signOut}
        </Button>
      </SettingRow>
    </div>
  );
}
