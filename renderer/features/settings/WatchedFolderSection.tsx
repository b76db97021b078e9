import { Button, Group, Switch, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Drop, WatchedFolder } from '../../../shared/api/watched-folder.ts';
import { dropText, folderText } from '../../../shared/media/watched-files.ts';
import { type ActionContext, attempt, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { plural, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { Empty } from '../../components/Empty.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { useEditedText } from '../../components/use-typed-text.ts';
import styles from './settings.module.css';

const texts = {
  on: 'Watch a folder',
  ownFolder: (workspaceId: string, folder: string) =>
    `The folder of this account is workspaces/${workspaceId}/${folder} in the Adslate data folder.`,
  otherPlace: (folder: string) => `Files are read from "${folder}" and never changed there.`,
  polling: 'Network share',
  pollingText: 'Looks for changes every few seconds, because a share reports none.',
  watching: 'Watching',
  choose: 'Choose folder…',
  chooseOwn: 'Use the folder of the account',
  otherFolder: 'To watch another folder, run: adslate folder set PATH',
  patterns: 'Name patterns',
  patternsHint:
    'One per line. {campaign} is the name or ID, {creative} names the video, the captions or the headline, {any} is ignored.',
  examples: 'Try with example names',
  examplesHint: 'One file name per line.',
  example: 'Garden hose video_spring.mp4',
  results: 'Where the examples go',
  goes: (campaign: string, creative: string | null) =>
    creative === null ? `"${campaign}"` : `"${campaign}", creative "${creative}"`,
  save: 'Save patterns',
  files: 'Files',
  none: 'No files yet',
  noneText: 'Put a video, captions or a logo into the folder. A file is taken when it stops changing. Nothing is sent.',
  arriving: (n: number) => `${plural(n, 'file')} still arriving`,
  again: 'Try files again',
  heads: ['Received', 'File', 'Result'],
  outcomes: {
    attached: ['Done', 'badge-good'],
    unchanged: ['No change', 'badge'],
    waiting: ['Waiting', 'badge-warning'],
    'not-attached': ['Not attached', 'badge-warning'],
    refused: ['Not accepted', 'badge-error'],
  } satisfies Record<Drop['outcome'], readonly [string, string]>,
} as const;

/** A folder watched for an agency's files: whether it is on, how file names are parsed, and the result of each file. */
export function WatchedFolderSection({ workspaceId }: { readonly workspaceId: string }) {
  const { data, error } = useQuery(useApi().watchedFolder.state.queryOptions({ input: { workspaceId } }));
  if (data === undefined) return <Problem of={error} />;
  return (
    <>
      <Place workspaceId={workspaceId} state={data} />
      <Patterns workspaceId={workspaceId} state={data} />
      <Files state={data} />
    </>
  );
}

function Place({ workspaceId, state }: PatternsProps) {
  const { connection } = useAppContext();
  const actions = useActions(folderActions);
  const [busy, during] = useBusy();
  const { chooseFolder } = connection.files;
  const choose = async (): Promise<void> => {
    const folder = await chooseFolder?.();
    if (folder !== undefined && folder !== null)
      await during(actions.set({ on: true, folder: folder.grant }, workspaceId));
  };
  return (
    <div className={styles['settings-card']}>
      <div className={styles['setting']}>
        <div>
          <div>{texts.on}</div>
          <p>{state.isOwn ? texts.ownFolder(workspaceId, state.folder) : texts.otherPlace(state.folder)}</p>
          {state.on && <p role="status">{state.problem === null ? texts.watching : folderText(state.problem)}</p>}
          {chooseFolder === undefined && <p>{texts.otherFolder}</p>}
        </div>
        <Switch
          aria-label={texts.on}
          checked={state.on}
          disabled={busy}
          onChange={(event) => void during(actions.set({ on: event.currentTarget.checked }))}
        />
      </div>
      {(chooseFolder !== undefined || !state.isOwn) && (
        <Group className={styles['setting'] ?? ''} gap="xs">
          {chooseFolder !== undefined && (
            <Button disabled={busy} onClick={() => void choose()}>
              {texts.choose}
            </Button>
          )}
          {!state.isOwn && (
            <Button disabled={busy} onClick={() => void during(actions.set({ folder: null }))}>
              {texts.chooseOwn}
            </Button>
          )}
        </Group>
      )}
      <div className={styles['setting']}>
        <div>
          <div>{texts.polling}</div>
          <p>{texts.pollingText}</p>
        </div>
        <Switch
          aria-label={texts.polling}
          checked={state.polling}
          disabled={busy}
          onChange={(event) => void during(actions.set({ polling: event.currentTarget.checked }))}
        />
      </div>
    </div>
  );
}

interface PatternsProps {
  readonly workspaceId: string;
  readonly state: WatchedFolder;
}

/** The patterns, tested on example names during input. */
function Patterns({ workspaceId, state }: PatternsProps) {
  const actions = useActions(folderActions);
  const [patterns, setPatterns] = useEditedText(state.patterns);
  const [examples, setExamples] = useState<string>(texts.example);
  const [busy, during] = useBusy();
  const names = examples
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 50);
  const { data } = useQuery({
    ...useApi().watchedFolder.test.queryOptions({ input: { workspaceId, patterns, names } }),
    placeholderData: (before) => before,
  });
  return (
    <>
      <h2>{texts.patterns}</h2>
      <Textarea
        autosize
        minRows={2}
        aria-label={texts.patterns}
        description={texts.patternsHint}
        value={patterns}
        error={data?.problem == null ? false : folderText(data.problem)}
        onChange={(event) => setPatterns(event.currentTarget.value)}
      />
      <Textarea
        autosize
        minRows={1}
        maxRows={6}
        mt="sm"
        label={texts.examples}
        description={texts.examplesHint}
        value={examples}
        onChange={(event) => setExamples(event.currentTarget.value)}
      />
      <ul className={ui['lines']} aria-label={texts.results} aria-live="polite">
        {data?.names.map(({ name, campaign, creative, problem }) => (
          <li key={name} className={ui['line']}>
            <span className={ui['line-text']}>{name}</span>
            <span className={problem === null ? '' : ui['quiet']}>
              {problem === null ? texts.goes(campaign ?? '', creative) : folderText(problem)}
            </span>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="xs">
        <Button
          disabled={patterns === state.patterns || (data?.problem ?? null) !== null}
          loading={busy}
          onClick={() => void during(actions.set({ patterns }))}
        >
          {texts.save}
        </Button>
      </Group>
    </>
  );
}

function Files({ state }: { readonly state: WatchedFolder }) {
  const actions = useActions(folderActions);
  const now = useNow();
  const [busy, during] = useBusy();
  return (
    <>
      <h2>{texts.files}</h2>
      {state.arriving > 0 && <p role="status">{texts.arriving(state.arriving)}</p>}
      {state.drops.length === 0 ? (
        <Empty title={texts.none} text={texts.noneText} />
      ) : (
        <>
          <ScrollBox className={ui['preview-scroll']} label={texts.files}>
            <table className={`${ui['diff']} ${ui['plain-table']} ${ui['text-table']}`}>
              <TableHead titles={texts.heads} />
              <tbody>
                {state.drops.map(({ id, at, fileName, outcome, message }) => (
                  <tr key={id}>
                    <td className={ui['numeric']}>{timeText(at, now)}</td>
                    <td>{fileName}</td>
                    <td>
                      <span className={`${ui['badge']} ${ui[texts.outcomes[outcome][1]]}`}>
                        {texts.outcomes[outcome][0]}
                      </span>{' '}
                      {dropText(outcome, message)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
          <Group justify="flex-end" mt="xs">
            <Button loading={busy} disabled={!state.on} onClick={() => void during(actions.again())}>
              {texts.again}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

type Change = Readonly<{ on?: boolean; patterns?: string; polling?: boolean; folder?: string | null }>;

function folderActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    /** The account that is open when a dialog closes may be another one than it was opened for. */
    set: async (change: Change, workspaceId = context.store.getState().workspaceId) =>
      workspaceId === null ? null : attempt(context, () => client.watchedFolder.set({ workspaceId, ...change })),
    again: () => runAction(context, (workspaceId) => client.watchedFolder.scan({ workspaceId, again: true })),
  };
}
