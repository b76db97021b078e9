import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Account, ShownCapability } from '../../../shared/api/accounts.ts';
import { RESPONSE_LOG_MAX_MB } from '../../../shared/api/limits.ts';
import type { ResponseLogInfo } from '../../../shared/api/requests.ts';
import { PROFILE_KEYS } from '../../../shared/deployment/settings-text.ts';
import { ASK_ALWAYS, readPolicy } from '../../../shared/merge/merge.ts';
import { commandsOf, NOT_OFFERED } from '../../../shared/plan/capabilities.ts';
import { CAPABILITY_REQUESTS, type CapabilityName } from '../../../shared/plan/plan-types.ts';
import { type ActionContext, attempt } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { readAmount } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import type { Locale } from '../../app/locale/locale.ts';
import { bytesText, countText, plural, timeText } from '../../app/locale/numbers.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import { Problem } from '../../app/Problem.tsx';
import { deploymentChoices, deploymentTexts, settingTexts } from '../../app/settings-list.ts';
import { appTexts } from '../../app/texts.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice, type Option } from '../../components/Choice.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { useSettingFocus } from './SettingRow.tsx';
import styles from './settings.module.css';

const texts = {
  loading: 'Loading settings…',
  sending: 'Sync mode',
  modes: {
    normal: 'You see the sync plan and confirm it.',
    confirm: 'Same as Normal, but you type the account name before you send. Use it where a mistake is costly.',
    'read-only': 'Nothing can be sent from this computer. You can edit, check and export.',
  },
  conflicts: {
    title: 'When a field was changed both here and on the service',
    text: 'Applies whenever Adslate reads from the service. The history keeps both values and the rule that was used.',
    choices: {
      ask: 'Ask me each time',
      mine: 'Keep my value and send it with the next sync',
      theirs: 'Use the service value and revert my change',
      own: 'Decide per field',
    },
    own: 'Rule per field',
    ownHint:
      'Example: bid=mine,dailyBudget=theirs,gone=ask,other=ask. "gone" stands for rows deleted on the service, "other" for all fields you do not list.',
    bad: (part: string) => `"${part}" is not a valid rule. Enter a field, an equals sign, and mine, theirs or ask.`,
    save: 'Save conflict rules',
  },
  proxy:
    'The desktop app reaches the service through the system proxy. Uploads go directly, because Adslate checks each upload address first.',
  hourly: (limit: string) => `Hourly limit: ${limit}`,
  serviceText:
    'All rules, limits and waiting times use these values. Change one only if your account manager tells you that your deployment is different.',
  usual: (value: string) => `default: ${value === '' ? 'empty' : value}`,
  ownCount: (n: number) => (n === 0 ? 'all default' : `${n} changed`),
  yes: 'Yes',
  no: 'No',
  reset: 'Reset to default',
  resetOf: (name: string) => `Reset ${name} to default`,
  asText: 'Edit as text',
  asTextHint: 'One setting per line. Settings you leave out use the default.',
  asFields: 'Edit as fields',
  noField: (line: string) => `"${line}" is not a setting of the fields. Correct or remove the line.`,
  save: 'Save settings',
  saved: 'Settings saved. Adslate is checking all rows again.',
  running: 'A sync is running. You can save the settings when it has finished.',
  nothing: 'No changes to save.',
  problems: (n: number) => (n === 1 ? "1 value can't be used:" : `${n} values can't be used:`),
  groups: {
    pace: 'Limits and waiting times',
    ads: 'Campaigns, items and keywords',
    creative: 'SBA profiles, logos and videos',
    money: 'Bids and multipliers',
    wire: 'Connection',
  },
  text: 'Extensions are requests that the documentation does not name. Adslate uses those that the service offers.',
  probe: 'Check again',
  headings: ['Request', 'Service', 'Last checked', 'Use'],
  documented: 'All documented requests',
  states: { documented: 'Documented', extension: 'Extension', absent: 'Not available', unknown: 'Not checked yet' },
  names: {
    campaignRead: 'List campaigns with their status',
    campaignUpdate: 'Change, pause, enable and extend campaigns',
    adGroupRead: 'List ad groups',
    adGroupUpdate: 'Change ad groups',
    keywordRead: 'List keywords',
    keywordUpdate: 'Change, pause and archive keywords',
    videoProfileUpdate: 'Replace the video of a campaign',
  },
  useOf: (name: string) => `Use: ${name}`,
  auto: (used: boolean) => (used ? 'Automatic (on)' : 'Automatic (off)'),
  on: 'On',
  off: 'Off',
  probed: 'Checked which requests the service offers.',
  keptText:
    'Responses are stored without credentials. When the limit is reached, the oldest are deleted. Backups do not include them.',
  now: (answers: number, bytes: number) => `${plural(answers, 'response')}, ${bytesText(bytes)}`,
  since: (day: string) => `since ${day}`,
  lost: (answers: number) => `${plural(answers, 'response')} couldn't be saved to disk.`,
  keptSave: 'Save limit',
  bad: (max: number) => `Enter a whole number from 0 to ${countText(max)}.`,
  keptSaved: (mb: number) =>
    mb === 0 ? 'Responses are no longer stored.' : `Up to ${countText(mb)} MB of responses are stored.`,
} as const;

const MODES: readonly Account['mode'][] = ['normal', 'confirm', 'read-only'];

/** The sync mode of an account. */
export function SyncModeSection({ account }: { readonly account: Account }) {
  const { actions } = useAppContext();
  return (
    <Radio.Group
      aria-label={texts.sending}
      value={account.mode}
      onChange={(mode) => void actions.setMode(account.workspaceId, mode)}
    >
      <div className={styles['settings-card']}>
        {MODES.map((mode) => (
          <Radio
            key={mode}
            className={styles['setting-choice'] ?? ''}
            value={mode}
            label={appTexts.account.mode[mode]}
            description={texts.modes[mode]}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

/** The deployment settings of an account that differ from the default, and the requests that the service supports. */
export function DeploymentSection({ workspaceId }: { readonly workspaceId: string }) {
  const { data: profile, error } = useQuery(useApi().accounts.profile.queryOptions({ input: { workspaceId } }));
  const status = useQuery(useApi().accountStatus.get.queryOptions({ input: { workspaceId } })).data;
  return (
    <>
      <p className={ui['quiet']}>
        {texts.serviceText} {texts.proxy}
      </p>
      {status !== undefined && <p className={ui['quiet']}>{texts.hourly(appTexts.changeLimit(status.changeLimit))}</p>}
      <Problem of={error} />
      {profile === undefined && error === null && <p className={ui['quiet']}>{texts.loading}</p>}
      {profile?.notes.map((note) => (
        <p key={note} className={ui['quiet']}>
          {note}
        </p>
      ))}
      {profile !== undefined && <Profile key={profile.text} workspaceId={workspaceId} profile={profile} />}
      <Capabilities workspaceId={workspaceId} />
    </>
  );
}

function Profile({ workspaceId, profile }: { readonly workspaceId: string; readonly profile: ShownProfile }) {
  const actions = useActions(settingActions);
  const fields = profileFields(profile);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [text, setText] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [busy, during] = useBusy();
  const running = useQuery(useApi().sync.report.queryOptions({ input: { workspaceId } })).data?.state === 'running';
  const stored = profileText(fields, {});
  const wanted = text ?? profileText(fields, typed);
  const isSaveable = !running && wanted !== stored;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isSaveable) return;
    const unread = text === null ? amountProblems(fields, typed) : [];
    if (unread.length > 0) {
      setProblems(unread);
      return;
    }
    setProblems(await during(actions.setProfile(workspaceId, wanted, text !== null)));
  };
  const valueNow = ({ key, value }: ProfileField): string => typed[key] ?? value;
  const own = fields.filter((field) => valueNow(field) !== field.usual).length;
  const type = (key: string, value: string): void => {
    setTyped((before) => ({ ...before, [key]: value }));
    setProblems([]);
  };
  /** What was typed as text goes into the fields; a line that no field has would be lost, so the text stays. */
  const showFields = (from: string): void => {
    const { typed, unread } = typedOfText(fields, from);
    setProblems(unread.map(texts.noField));
    if (unread.length > 0) return;
    setTyped(typed);
    setText(null);
  };
  const saveButton = useRef<HTMLButtonElement>(null);
  /** With unsaved values, Escape leads to the button that saves them, and from there closes the page. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isSaveable || event.target === saveButton.current) return;
    event.preventDefault();
    saveButton.current?.focus();
  };
  return (
    <form className={styles['profile-form']} onSubmit={(event) => void save(event)} onKeyDown={onKeyDown} noValidate>
      <div className={styles['profile-bar']}>
        <span className={ui['quiet']} role="status">
          {texts.ownCount(own)}
        </span>
        <Button onClick={() => (text === null ? setText(wanted) : showFields(text))}>
          {text === null ? texts.asText : texts.asFields}
        </Button>
        <Button
          ref={saveButton}
          type="submit"
          loading={busy}
          disabled={!isSaveable}
          title={wanted === stored ? texts.nothing : undefined}
        >
          {texts.save}
        </Button>
      </div>
      {problems.length > 0 && (
        <div className={ui['note-error']} role="alert">
          <p>{texts.problems(problems.length)}</p>
          <ul className={ui['lines']}>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {running && <p className={ui['note-warning']}>{texts.running}</p>}
      {text !== null && (
        <Textarea
          size="xs"
          rows={14}
          className={styles['profile-text']}
          label={texts.asText}
          description={texts.asTextHint}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblems([]);
          }}
        />
      )}
      {text === null &&
        GROUPS.map((group) => (
          <fieldset key={group} className={styles['profile-group']}>
            <legend>{texts.groups[group]}</legend>
            {fields
              .filter((field) => field.group === group)
              .map((field) => (
                <Field key={field.key} field={field} value={valueNow(field)} onType={type} />
              ))}
          </fieldset>
        ))}
    </form>
  );
}

/** The size of the response log, and its limit. */
export function StorageSection({ workspaceId }: { readonly workspaceId: string }) {
  const kept = useQuery(useApi().responses.usage.queryOptions({ input: { workspaceId } }));
  return (
    <>
      <p className={ui['quiet']}>{texts.keptText}</p>
      <Problem of={kept.error} />
      {kept.data !== undefined && <Bound key={kept.data.boundMb} workspaceId={workspaceId} kept={kept.data} />}
    </>
  );
}

function Bound({ workspaceId, kept }: { readonly workspaceId: string; readonly kept: ResponseLogInfo }) {
  const actions = useActions(settingActions);
  const now = useNow();
  const { answers, bytes, boundMb, oldestAt, lost } = kept;
  const [typed, setTyped] = useState(String(boundMb));
  const wanted = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  const isGood = wanted <= RESPONSE_LOG_MAX_MB;
  const [label, hint] = settingTexts['response-limit'];
  return (
    <form
      ref={useSettingFocus<HTMLFormElement>('response-limit')}
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) void actions.keepAnswers(workspaceId, wanted);
      }}
    >
      <Stack gap="xs">
        <p>
          {texts.now(answers, bytes)}
          {oldestAt !== null && `, ${texts.since(timeText(oldestAt, now))}`}
        </p>
        {lost > 0 && <p className={ui['note-warning']}>{texts.lost(lost)}</p>}
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            size="xs"
            inputMode="numeric"
            label={label}
            description={hint}
            error={isGood ? null : texts.bad(RESPONSE_LOG_MAX_MB)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" disabled={!isGood || wanted === boundMb}>
            {texts.keptSave}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The extensions that the service supports, when that was tested, and which of them the account uses. */
function Capabilities({ workspaceId }: { readonly workspaceId: string }) {
  const actions = useActions(settingActions);
  const { data, error } = useQuery(useApi().accounts.capabilities.queryOptions({ input: { workspaceId } }));
  const [busy, during] = useBusy();
  return (
    <>
      <Group ref={useSettingFocus<HTMLDivElement>('capabilities')} justify="space-between" align="center" mt="md">
        <h2>{settingTexts.capabilities[0]}</h2>
        <Button loading={busy} onClick={() => void during(actions.probeCapabilities(workspaceId))}>
          {texts.probe}
        </Button>
      </Group>
      <p className={ui['quiet']}>{texts.text}</p>
      <Problem of={error} />
      {data !== undefined && (
        <table className={`${ui['diff']} ${ui['plain-table']}`} aria-label={settingTexts.capabilities[0]}>
          <TableHead titles={texts.headings} />
          <tbody>
            <tr>
              <th scope="row">{texts.documented}</th>
              <td>{texts.states.documented}</td>
              <td />
              <td />
            </tr>
            {data.map((one) => (
              <Row key={one.name} workspaceId={workspaceId} one={one} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Row({ workspaceId, one }: { readonly workspaceId: string; readonly one: ShownCapability }) {
  const actions = useActions(settingActions);
  const now = useNow();
  const name = texts.names[one.name];
  const state = one.offered === null ? 'unknown' : one.offered ? 'extension' : 'absent';
  return (
    <tr>
      <th
        scope="row"
        title={[
          CAPABILITY_REQUESTS[one.name],
          ...(one.inUse || commandsOf(one.name).length === 0 ? [] : [NOT_OFFERED]),
        ].join('. ')}
      >
        {name}
      </th>
      <td>{texts.states[state]}</td>
      <td>{one.seenAt === null ? '' : timeText(one.seenAt, now)}</td>
      <td>
        <Choice
          aria-label={texts.useOf(name)}
          options={[
            [null, texts.auto(one.set === null ? one.inUse : (one.offered ?? false))],
            [true, texts.on],
            [false, texts.off],
          ]}
          value={one.set}
          onChoose={(use) => void actions.setCapability(workspaceId, one.name, use)}
        />
      </td>
    </tr>
  );
}

const conflictTexts = texts.conflicts;

/** Rows missing on the service always ask the user: keeping one would create it again. */
const PRESETS = { ask: ASK_ALWAYS, mine: 'gone=ask,other=mine', theirs: 'gone=ask,other=theirs' } as const;
type Side = keyof typeof PRESETS | 'own';
const CHOICES: readonly Side[] = ['ask', 'mine', 'theirs', 'own'];

const choiceOf = (text: string): Side => CHOICES.find((each) => each !== 'own' && PRESETS[each] === text) ?? 'own';

/** Which side wins in conflicts of the account: ask, always one side, or by field. */
export function ConflictsSection({ workspaceId }: { readonly workspaceId: string }) {
  const actions = useActions(settingActions);
  const saved = useQuery(useApi().conflictPolicy.get.queryOptions({ input: { workspaceId } }));
  const [own, setOwn] = useState<string | null>(null);
  if (saved.data === undefined) {
    return <Problem of={saved.error} />;
  }
  const { text } = saved.data;
  const chosen = own === null ? choiceOf(text) : 'own';
  const typed = own ?? text;
  const read = readPolicy(typed);
  const choose = (choice: Side): void => {
    setOwn(choice === 'own' ? text : null);
    if (choice !== 'own') void actions.setConflictPolicy(workspaceId, PRESETS[choice]);
  };
  const save = async (): Promise<void> => {
    if (read.ok && (await actions.setConflictPolicy(workspaceId, typed))) setOwn(null);
  };
  return (
    <>
      <p className={ui['quiet']}>{conflictTexts.text}</p>
      <Radio.Group aria-label={conflictTexts.title} value={chosen} onChange={choose}>
        <div className={styles['settings-card']}>
          {CHOICES.map((choice) => (
            <Radio
              key={choice}
              className={styles['setting-choice'] ?? ''}
              value={choice}
              label={conflictTexts.choices[choice]}
            />
          ))}
        </div>
      </Radio.Group>
      {chosen === 'own' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Group align="flex-end" gap="xs" mt={6} wrap="nowrap">
            <TextInput
              size="xs"
              className={styles['conflict-rules']}
              label={conflictTexts.own}
              description={conflictTexts.ownHint}
              value={typed}
              error={read.ok ? null : conflictTexts.bad(read.error.part)}
              onChange={(event) => setOwn(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!read.ok || typed === text}>
              {conflictTexts.save}
            </Button>
          </Group>
        </form>
      )}
    </>
  );
}

const GROUPS: readonly ProfileGroup[] = ['pace', 'ads', 'creative', 'money', 'wire'];

interface FieldProps {
  readonly field: ProfileField;
  readonly value: string;
  readonly onType: (key: string, value: string) => void;
}

function Field({ field, value, onType }: FieldProps) {
  const id = useId();
  const isOwn = value !== field.usual;
  const shared = {
    id,
    className: isOwn ? `${ui['input']} ${styles['input-own']}` : ui['input'],
    'aria-describedby': isOwn ? `${id}-usual` : undefined,
  };
  return (
    <div ref={useSettingFocus<HTMLDivElement>(field.key)} className={styles['profile-field']}>
      <label htmlFor={id}>{field.name}</label>
      <span className={styles['profile-usual']}>
        {isOwn && (
          <>
            <span id={`${id}-usual`} className={ui['note-changed']}>
              {texts.usual(wordOf(field, field.usual))}
            </span>
            <Chip aria-label={texts.resetOf(field.name)} onClick={() => onType(field.key, field.usual)}>
              {texts.reset}
            </Chip>
          </>
        )}
      </span>
      {field.choices === null ? (
        <input {...shared} value={value} onChange={(event) => onType(field.key, event.target.value)} />
      ) : (
        <Choice {...shared} options={field.choices} value={value} onChoose={(word) => onType(field.key, word)} />
      )}
    </div>
  );
}

const wordOf = ({ choices }: ProfileField, value: string): string =>
  choices?.find(([word]) => word === value)?.[1] ?? value;

function settingActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    /** @param text a valid policy (`shared/merge/merge.ts`) */
    setConflictPolicy: async (workspaceId: string, text: string) =>
      (await attempt(context, () => client.conflictPolicy.set({ workspaceId, text }))) !== null,
    /** Limits the response log to this many megabytes; 0 keeps no responses. */
    keepAnswers: async (workspaceId: string, boundMb: number) => {
      const kept = await attempt(context, () => client.responses.setLimit({ workspaceId, boundMb }));
      if (kept !== null) context.toasts.tell(texts.keptSaved(boundMb));
    },
    /** Stores the settings that differ from the default. @returns why not, in sentences; empty when they are in use */
    setProfile: async (workspaceId: string, text: string, isText: boolean) => {
      try {
        await client.accounts.setProfile({ workspaceId, text });
        context.toasts.tell(texts.saved);
        return [];
      } catch (error) {
        return problemsOf(error, isText);
      }
    },
    /** Tests which extensions the service supports. */
    probeCapabilities: async (workspaceId: string) => {
      const probed = await attempt(context, () => client.accounts.probeCapabilities({ workspaceId }));
      if (probed !== null) context.toasts.tell(texts.probed);
    },
    /** @param use null follows what the service supports */
    setCapability: (workspaceId: string, name: CapabilityName, use: boolean | null) =>
      attempt(context, () => client.accounts.setCapability({ workspaceId, name, use })),
  };
}

/**
 * One sentence for every refused value, or for another failure.
 *
 * @param isText whether the settings were written as text, with their keys
 */
function problemsOf(error: unknown, isText: boolean): readonly string[] {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_PROFILE') return [errorText(error)];
  const { problems } = error.data as {
    readonly problems: readonly { readonly key: string; readonly problem: string }[];
  };
  return problems.map(({ key, problem }) => (isText ? problem : problem.replace(`"${key}"`, `"${settingName(key)}"`)));
}

const settingName = (key: string): string => deploymentTexts[key] ?? key;

type ProfileGroup = keyof typeof texts.groups;

/** One deployment setting with its present and its default value, with amounts as the user types them. */
interface ProfileField {
  readonly key: string;
  readonly name: string;
  readonly group: ProfileGroup;
  readonly value: string;
  readonly usual: string;
  readonly form: Form;
  /** The possible values with their names; null where the value is typed. */
  readonly choices: readonly Option<string>[] | null;
}

/** Groups of settings by the start of their key; other keys belong to the connection. */
const KEY_GROUPS: readonly (readonly [RegExp, ProfileGroup])[] = [
  [/^(rate|batch|review|snapshot|report)\.|^media\.(processing|url)Minutes$/, 'pace'],
  [/^(campaign|adItems|keywords)\./, 'ads'],
  [/^(sba|logo|media)\./, 'creative'],
  [/^(bid|multiplier)\./, 'money'],
];

/** Not editable: tested when the account was connected, or no setting. */
const FIXED: ReadonlySet<string> = new Set(['version', 'retail.host']);

type Form = (typeof PROFILE_KEYS)[number]['form'];
const FORMS: ReadonlyMap<string, Form> = new Map(PROFILE_KEYS.map(({ key, form }) => [key, form]));
const isAmount = (form: Form): boolean => form.startsWith('number') || form.startsWith('money');

/** A stored value as shown: amounts with the decimal separator of the locale, lists without brackets. */
function shownValue(form: Form, plain: string, { style }: Pick<Locale, 'style'>): string {
  if (isAmount(form)) return typedAmount(plain, style);
  if (form === 'list') return plain.replace(/^\[(.*)\]$/u, '$1');
  return form === 'range' ? plain.replace('..', '–') : plain;
}

/** Typed text in the stored format. An amount that can't be read is unchanged. */
function plainValue(form: Form, typed: string, by: Locale): string {
  if (form === 'list') return `[${typed.replace(/^\[(.*)\]$/u, '$1')}]`;
  if (form === 'range') return typed.replace(/\s*(?:–|-|\.\.)\s*/u, '..');
  const read = isAmount(form) ? readAmount(typed, by) : null;
  return read?.ok === true ? read.value : typed;
}

const lineOf = (line: string): readonly [string, string] => {
  const cut = line.indexOf('=');
  return cut < 0 ? ['', ''] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
};

type ShownProfile = Awaited<ReturnType<Client['accounts']['profile']>>;

export function profileFields({ text, differences }: ShownProfile, by: Locale = locale()): readonly ProfileField[] {
  const usual = new Map(differences.map((one) => [one.key, one.usual]));
  return text
    .split('\n')
    .map(lineOf)
    .filter(([key]) => key !== '' && !FIXED.has(key))
    .map(([key, value]) => {
      const form = FORMS.get(key) ?? 'text';
      const shown = (plain: string): string => shownValue(form, plain, by);
      return {
        key,
        name: settingName(key),
        group: KEY_GROUPS.find(([pattern]) => pattern.test(key))?.[1] ?? 'wire',
        value: shown(value),
        usual: shown(usual.get(key) ?? value),
        form,
        choices: choicesOf(key, form, value),
      };
    });
}

/** The possible values of a setting; a present value that this version does not know is included. */
function choicesOf(key: string, form: Form, value: string): readonly Option<string>[] | null {
  const known = Object.hasOwn(deploymentChoices, key) ? deploymentChoices[key] : undefined;
  const choices = form === 'switch' ? SWITCH : known;
  if (choices === undefined) return null;
  return choices.some(([word]) => word === value) ? choices : [...choices, [value, value]];
}
const SWITCH: readonly Option<string>[] = [
  ['true', texts.yes],
  ['false', texts.no],
];

type Typed = Readonly<Record<string, string>>;

export function amountProblems(
  fields: readonly ProfileField[],
  typed: Typed,
  by: Locale = locale(),
): readonly string[] {
  return fields.flatMap(({ key, name, form }) => {
    const read = isAmount(form) ? readAmount(typed[key] ?? '', by) : null;
    return read?.ok === false ? [`${name}: ${read.error}`] : [];
  });
}

/** The text to store: only settings that differ from the default, so that a later change of the default applies. */
export function profileText(fields: readonly ProfileField[], typed: Typed, by: Locale = locale()): string {
  return fields
    .map((field) => ({ ...field, value: (typed[field.key] ?? field.value).trim() }))
    .filter(({ value, usual }) => value !== usual)
    .map(({ key, form, value }) => `${key}=${plainValue(form, value, by)}\n`)
    .join('');
}

/**
 * Settings typed as text, as values of the fields. A setting that is left out has its default.
 *
 * @returns also the lines that no field can show
 */
export function typedOfText(
  fields: readonly ProfileField[],
  text: string,
  by: Locale = locale(),
): { readonly typed: Typed; readonly unread: readonly string[] } {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const values = new Map(lines.map(lineOf));
  const unread = lines.filter((line, at) => {
    const [key] = lineOf(line);
    const isAgain = lines.findIndex((other) => lineOf(other)[0] === key) < at;
    return isAgain || !fields.some((field) => field.key === key);
  });
  const shownOf = ({ key, form, usual }: ProfileField): string => {
    const value = values.get(key);
    return value === undefined ? usual : shownValue(form, value, by);
  };
  return { typed: Object.fromEntries(fields.map((field) => [field.key, shownOf(field)])), unread };
}
