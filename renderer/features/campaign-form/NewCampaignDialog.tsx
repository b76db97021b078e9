import {
  ActionIcon,
  Button,
  Group,
  Input,
  Modal,
  NativeSelect,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import type { CampaignTemplate } from '../../../shared/api/campaigns.ts';
import { lengthLimit } from '../../../shared/model/fields.ts';
import { codePointLength, isUnseen } from '../../../shared/model/text.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { choiceName, fieldName } from '../../app/field-names.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { ALL_ROWS, useRows } from '../../app/shared-queries.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { appTexts } from '../../app/texts.ts';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './campaign-form.module.css';
import {
  BANNER_LINES,
  CAMPAIGN_LINES,
  type CampaignDraft,
  type DraftProblem,
  draftRows,
  EMPTY_DRAFT,
  type FormLine,
  hasKeywords,
} from './draft.ts';
import { draftFrom, draftOf, shapeOf, storedForm } from './draft-of.ts';
import { campaignFormTexts } from './text.ts';

interface NewCampaignDialogProps {
  readonly workspaceId: string;
  readonly shape: CampaignShape;
  /** A campaign whose rows fill the form; null begins with an empty one. */
  readonly like: number | null;
}

/** The form of a new campaign: empty, from a template, or filled from another campaign. */
export function NewCampaignDialog({ workspaceId, shape, like }: NewCampaignDialogProps) {
  const { dismiss } = useAppContext().store.getState();
  return (
    <Modal opened onClose={dismiss} title={appTexts.create.title} size={680}>
      {like === null ? (
        <CampaignForm workspaceId={workspaceId} first={{ shape, draft: EMPTY_DRAFT, like: null }} />
      ) : (
        <FormLike workspaceId={workspaceId} campaignId={like} />
      )}
    </Modal>
  );
}

/** Waits for all rows of the campaign, since a form that fills by and by would be typed into meanwhile. */
function FormLike({ workspaceId, campaignId }: { readonly workspaceId: string; readonly campaignId: number }) {
  const campaign = useRows(workspaceId, { kind: 'campaign', campaignId }, ALL_ROWS).data?.rows[0];
  const items = useRows(workspaceId, { kind: 'adItem', campaignId }, ALL_ROWS).data?.rows;
  const keywords = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS).data?.rows;
  const profiles = useRows(workspaceId, { kind: 'sbaProfile', campaignId }, ALL_ROWS).data?.rows;
  if (campaign === undefined || items === undefined || keywords === undefined || profiles === undefined) {
    return <p className={ui['quiet']}>{appTexts.grid.loading}</p>;
  }
  const draft = draftOf({ campaign, items, keywords, profiles });
  return <CampaignForm workspaceId={workspaceId} first={{ shape: shapeOf(campaign), draft, like: draft.name }} />;
}

const texts = {
  shape: 'Campaign type',
  shapes: {
    video: { name: 'Sponsored video', text: 'A short video in search results, with items and keywords.' },
    sba: {
      name: 'Search Brand Amplifier (SBA)',
      text: 'A banner with logo, headline and items above the search results.',
    },
    auto: {
      name: 'Sponsored products, automatic',
      text: 'The service matches searches automatically. You set item bids.',
    },
    manual: { name: 'Sponsored products, manual', text: 'You choose the keywords and their bids.' },
  },
  button: 'Create campaign',
  label: (name: string) => `New campaign ${name}`,
  created: (name: string) => `Draft campaign ${name} created.`,
  from: 'Start from',
  empty: 'Empty form',
  like: (campaign: string) => `Copy of ${campaign}`,
  save: 'Save as template…',
  name: 'Template name',
  nameHint: 'Replaces a template with the same name.',
  saveNow: 'Save',
  saved: (name: string) => `Template ${name} saved.`,
  remove: (name: string) => `Delete template ${name}`,
  removed: (name: string) => `Template ${name} deleted.`,
  kept: 'Your templates',
  starting: 'Built-in templates',
  starters: {
    video: { name: 'Video', campaign: 'Video [month]' },
    sba: { name: 'Search Brand Amplifier (SBA)', campaign: 'Brand [month]' },
    auto: { name: 'Sponsored products, automatic', campaign: 'Automatic [month]' },
    manual: { name: 'Sponsored products, manual', campaign: 'Manual [month]' },
  },
  tokens: 'Tokens you can use in the name: [today], [month], [start], [end]',
} as const;

const SHAPES: readonly CampaignShape[] = ['video', 'sba', 'auto', 'manual'];
const MATCH_TYPES = ['exact', 'phrase', 'broad'];

interface CampaignFormProps {
  readonly workspaceId: string;
  /** What the form begins with, and the campaign it was taken from, if any. */
  readonly first: { readonly shape: CampaignShape; readonly draft: CampaignDraft; readonly like: string | null };
}

/** A campaign with its ad group, profile, items and keywords, created as one step. Only the name must be there. */
function CampaignForm({ workspaceId, first }: CampaignFormProps) {
  const { store, actions, notes } = useAppContext();
  const { dismiss, goTo } = store.getState();
  const [shape, setShape] = useState(first.shape);
  const [draft, setDraft] = useState(first.draft);
  const [template, setTemplate] = useState('');
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const [busy, during] = useBusy();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = filledName(draft.name, { today: localDay(), start: draft.startDate, end: draft.endDate }).trim();
    const rows = draftRows(shape, { ...draft, name });
    if (!rows.ok) {
      setProblem(rows.error);
      return;
    }
    const created = await during(actions.create(texts.label(name), rows.value));
    const campaign = created?.touched.find((ref) => ref.kind === 'campaign');
    if (campaign === undefined) return;
    dismiss();
    goTo({
      kind: shape === 'video' ? 'videoProfile' : shape === 'sba' ? 'sbaProfile' : 'adItem',
      campaignId: campaign.id,
    });
    notes.tell(texts.created(name));
  };
  const set = (name: keyof CampaignDraft, value: string): void => {
    setDraft((before) => ({ ...before, [name]: value }));
    setProblem(null);
  };
  const field = (name: keyof CampaignDraft) => ({
    label: isNamedHere(name) ? campaignFormTexts.labels[name] : fieldName(name),
    value: draft[name],
    error: problem?.field === name ? problem.text : undefined,
    size: 'xs' as const,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => set(name, event.currentTarget.value),
  });
  const begin = (chosen: CampaignTemplate | null): void => {
    setTemplate(chosen?.name ?? '');
    setShape(chosen?.shape ?? first.shape);
    setDraft(chosen === null ? first.draft : draftFrom(chosen.form));
    setProblem(null);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TemplateBar workspaceId={workspaceId} chosen={template} like={first.like} onChoose={begin} />
      <fieldset className={styles['shapes']}>
        <legend className={ui['spoken-only']}>{texts.shape}</legend>
        {SHAPES.map((each) => (
          <label
            key={each}
            className={each === shape ? `${styles['shape']} ${styles['shape-chosen']}` : styles['shape']}
          >
            <input type="radio" name="shape" checked={each === shape} onChange={() => setShape(each)} />
            <strong>{texts.shapes[each].name}</strong>
            <span className={ui['quiet']}>{texts.shapes[each].text}</span>
          </label>
        ))}
      </fieldset>
      <TextInput
        {...field('name')}
        data-autofocus
        withAsterisk
        mt="sm"
        description={/\[/.test(draft.name) ? texts.tokens : null}
        inputWrapperOrder={BELOW}
      />
      <div className={ui['form-four']}>
        {CAMPAIGN_LINES.filter(({ field: name }) => name !== 'name').map((line) =>
          line.spec.type.is === 'date' ? (
            <DayField key={line.field} {...field(line.field)} onChange={(day) => set(line.field, day)} />
          ) : (
            <LineInput key={line.field} line={line} text={draft[line.field]} input={field(line.field)} />
          ),
        )}
      </div>
      {shape === 'sba' && (
        <div className={ui['form-two']}>
          {BANNER_LINES.map((line) => (
            <LineInput key={line.field} line={line} text={draft[line.field]} input={field(line.field)} />
          ))}
        </div>
      )}
      <div className={ui['form-two']}>
        <Textarea {...field('items')} rows={4} description={campaignFormTexts.itemsHint} inputWrapperOrder={BELOW} />
        {hasKeywords(shape) && (
          <Textarea
            {...field('keywords')}
            rows={4}
            description={campaignFormTexts.keywordsHint}
            inputWrapperOrder={BELOW}
          />
        )}
        {hasKeywords(shape) && (
          <NativeSelect
            {...field('matchType')}
            data={MATCH_TYPES.map((value) => ({ value, label: choiceName(value) }))}
          />
        )}
        <TextInput {...field('bid')} inputMode="decimal" />
      </div>
      <Group justify="flex-end" mt="md" gap="xs">
        <SaveTemplate shape={shape} draft={draft} name={isStarter(template) ? '' : template} />
        <span className={ui['toolbar-gap']} />
        <Button onClick={dismiss}>{campaignFormTexts.cancel}</Button>
        <Button type="submit" variant="filled" loading={busy}>
          {texts.button}
        </Button>
      </Group>
    </form>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly size: 'xs';
  readonly onChange: (day: string) => void;
}

/** A day with its label above and what is wrong with it below, as the other fields of the form have them. */
function DayField({ label, value, error, size, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <Input.Wrapper id={id} label={label} error={error} size={size}>
      <DayInput
        id={id}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
}

/** Today on this computer's calendar, as 2030-06-01. */
function localDay(): string {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** What the form calls otherwise than the grid does. */
const isNamedHere = (name: string): name is keyof typeof campaignFormTexts.labels =>
  Object.hasOwn(campaignFormTexts.labels, name);

/** One line of text of the form; how much of it is used, where the deployment has a limit. */
function LineInput({
  line: { kind, field, spec },
  text,
  input,
}: {
  readonly line: FormLine;
  readonly text: string;
  readonly input: TextInputProps;
}) {
  const max = lengthLimit(useLimits(), kind, field);
  if (field === 'clickUrl') return <TextInput {...input} className={ui['form-wide']} placeholder="https://" />;
  if (spec.type.is === 'money') return <TextInput {...input} inputMode="decimal" />;
  if (max === null) return <TextInput {...input} />;
  return <TextInput {...input} description={<Used text={text} max={max} />} inputWrapperOrder={BELOW} />;
}

function Used({ text, max }: { readonly text: string; readonly max: number }) {
  const used = codePointLength(text.trim());
  return (
    <span className={used > max ? `${ui['counter']} ${ui['counter-over']}` : ui['counter']}>
      {appTexts.inspector.counter(used, max)}
    </span>
  );
}

interface SaveTemplateProps {
  readonly shape: CampaignShape;
  readonly draft: CampaignDraft;
  /** The name the form was kept under before, offered again. */
  readonly name: string;
}

function SaveTemplate({ shape, draft, name: before }: SaveTemplateProps) {
  const actions = useActions(templateActions);
  const [name, setName] = useState<string | null>(null);
  if (name === null) return <Button onClick={() => setName(before)}>{texts.save}</Button>;
  const save = async (): Promise<void> => {
    if (isUnseen(name)) return;
    // A template is for another time: its days would be over by then.
    if (await actions.saveTemplate({ name: name.trim(), shape, form: storedForm(draft) })) setName(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // Enter would create the campaign otherwise.
    event.preventDefault();
    void save();
  };
  return (
    <div className={styles['template-save']}>
      <TextInput
        size="xs"
        ref={takeFocus}
        aria-label={texts.name}
        placeholder={texts.name}
        title={texts.nameHint}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button onClick={() => void save()} disabled={isUnseen(name)}>
        {texts.saveNow}
      </Button>
    </div>
  );
}

const takeFocus = (input: HTMLInputElement | null): void => input?.focus();

interface TemplateBarProps {
  readonly workspaceId: string;
  /** Name of the template the form began with; empty for none. */
  readonly chosen: string;
  /** The campaign that the form was filled from, if any. */
  readonly like: string | null;
  /** Null takes everything out of the form again. */
  readonly onChoose: (template: CampaignTemplate | null) => void;
}

/** What a new campaign begins with: nothing, a form that was kept under a name, or a starting point of its type. */
function TemplateBar({ workspaceId, chosen, like, onChoose }: TemplateBarProps) {
  const actions = useActions(templateActions);
  const kept = useQuery(useApi().templates.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const isKept = kept.some(({ name }) => name === chosen);
  const remove = async (): Promise<void> => {
    if (await actions.removeTemplate(chosen)) onChoose(null);
  };
  return (
    <div className={styles['template-bar']}>
      <label>
        {texts.from}
        <select
          className={ui['input']}
          value={chosen}
          onChange={(event) => onChoose([...kept, ...STARTERS].find(({ name }) => name === event.target.value) ?? null)}
        >
          <option value="">{like === null ? texts.empty : texts.like(like)}</option>
          {kept.length > 0 && <Templates label={texts.kept} templates={kept} />}
          <Templates label={texts.starting} templates={STARTERS} />
        </select>
      </label>
      {isKept && (
        <ActionIcon
          variant="default"
          size={24}
          aria-label={texts.remove(chosen)}
          title={texts.remove(chosen)}
          onClick={() => void remove()}
        >
          <IconTrash size={16} stroke={1.5} />
        </ActionIcon>
      )}
    </div>
  );
}

function Templates({ label, templates: listed }: { label: string; templates: readonly CampaignTemplate[] }) {
  return (
    <optgroup label={label}>
      {listed.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}

/** What stands in a name for what is known when the campaign is created. */
interface NameFacts {
  /** Days as 2030-06-01; empty for one that is not known. */
  readonly today: string;
  readonly start: string;
  readonly end: string;
}

/**
 * Fills `[today]`, `[month]`, `[start]` and `[end]` into a name. A token without a fact, and anything else in brackets,
 * stays as it is typed: a name that is visibly unfinished is mended, one with a hole in it is not noticed.
 */
export function filledName(name: string, { today, start, end }: NameFacts): string {
  const facts: Readonly<Record<string, string>> = { today, month: today.slice(0, 7), start, end };
  return name.replace(/\[(today|month|start|end)\]/gi, (token, word: string) => facts[word.toLowerCase()] || token);
}

/** A name with tokens, a budget and a bid that the rules of the service take; the rest is left to the user. */
const FORMS: Readonly<Record<CampaignShape, Readonly<Record<string, string>>>> = {
  video: { dailyBudget: '100.00', bid: '1.50', matchType: 'broad' },
  sba: { dailyBudget: '100.00', bid: '1.20', matchType: 'phrase' },
  auto: { dailyBudget: '50.00', bid: '0.60' },
  manual: { dailyBudget: '50.00', bid: '0.80', matchType: 'exact' },
};

const STARTER_SHAPES: readonly CampaignShape[] = ['video', 'sba', 'auto', 'manual'];

/** A template for each type of campaign that is there before any was kept. */
export const STARTERS: readonly CampaignTemplate[] = STARTER_SHAPES.map((shape) => ({
  name: texts.starters[shape].name,
  shape,
  form: { ...FORMS[shape], name: texts.starters[shape].campaign },
}));

const isStarter = (name: string): boolean => STARTERS.some((starter) => starter.name === name);

/** Templates of the open account. False means that nothing was kept or removed, which was said. */
function templateActions(doing: ActionContext) {
  const { client } = doing.connection;
  const told = (done: unknown, text: string): boolean => {
    if (done !== null) doing.notes.tell(text);
    return done !== null;
  };
  return {
    saveTemplate: async (template: CampaignTemplate) =>
      told(
        await runAction(doing, (workspaceId) => client.templates.save({ workspaceId, template })),
        texts.saved(template.name),
      ),
    removeTemplate: async (name: string) =>
      told(
        await runAction(doing, (workspaceId) => client.templates.remove({ workspaceId, name })),
        texts.removed(name),
      ),
  };
}
