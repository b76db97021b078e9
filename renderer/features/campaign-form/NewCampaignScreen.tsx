import { Button, Input, Menu, NativeSelect, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import {
  IconAd2,
  IconChevronDown,
  IconCircleCheck,
  IconCircleDashed,
  IconListSearch,
  IconTrash,
  IconVideo,
  IconWand,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CampaignTemplate } from '../../../shared/api/campaigns.ts';
import { flightCost, submitBy } from '../../../shared/lifecycle/eligibility.ts';
import { lengthLimit } from '../../../shared/model/fields.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { codePointLength } from '../../../shared/model/text.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { discardForm } from '../../app/command-handlers.ts';
import { choiceName, fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { readCell } from '../../app/locale/cells.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { fullDayText, moneyText, plural } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { ALL_ROWS, useMedia, useRows, waitingFor } from '../../app/shared-queries.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { appTexts } from '../../app/texts.ts';
import { DayInput } from '../../components/DayInput.tsx';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { FormActions } from './AddRowsScreen.tsx';
import styles from './campaign-form.module.css';
import {
  BANNER_LINES,
  CAMPAIGN_LINES,
  type CampaignDraft,
  type DraftProblem,
  draftFrom,
  draftOf,
  draftRows,
  EMPTY_DRAFT,
  type FormLine,
  fieldProblem,
  hasKeywords,
  shapeOf,
  storedForm,
} from './draft.ts';
import { ItemFinder, type ShownItem, useItemNames } from './ItemFinder.tsx';
import { formKeys, itemLines } from './lines.ts';
import { ShopperPreview } from './ShopperPreview.tsx';
import { campaignFormTexts } from './text.ts';

const texts = {
  title: 'New campaign',
  shape: '1. Type',
  money: '2. Budget and dates',
  items: '3. Items',
  keywords: '4. Keywords and bids',
  bid: '4. Bid',
  shapes: {
    sba: { name: 'SBA', text: 'Search Brand Amplifier: banner above results' },
    video: { name: 'Video', text: 'A short video in search results' },
    manual: { name: 'Products, manual', text: 'You choose keywords and bids' },
    auto: { name: 'Products, auto', text: 'The retailer finds searches' },
  },
  itemCount: (n: number) => plural(n, 'item'),
  keywordCount: (n: number) => plural(n, 'keyword'),
  create: 'Create draft',
  label: (name: string) => `New campaign ${name}`,
  created: (name: string) => `Draft campaign ${name} created.`,
  cost: (days: number, daily: string, total: string, isCapped: boolean) =>
    `${plural(days, 'day')} at ${daily} ${days === 1 ? 'costs' : 'cost'} up to ${total}${isCapped ? ', the total budget' : ''}.`,
  costHint: 'With a daily budget and both dates, the total cost is shown here.',
  submit: (last: string, first: string) => `Submit by ${last} to go live on ${first}.`,
  from: 'Start from',
  empty: 'Empty form',
  noToday: "Today's date couldn't be read for the name. Try again, or enter the date yourself.",
  gone: 'The campaign was deleted',
  goneText: 'This form was to be filled from a campaign that is no longer there. Start with an empty form instead.',
  like: (campaign: string) => `Copy of ${campaign}`,
  save: 'Save as template',
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
  logo: 'Logo',
  video: 'Video',
  noFile: 'None yet',
  addFile: 'Add media files…',
  missing: 'Missing before launch',
  wrong: (name: string, problem: string) => `${name}: ${problem}`,
  nothingMissing: 'Nothing is missing in this form.',
} as const;

const SHAPES: readonly CampaignShape[] = ['sba', 'video', 'manual', 'auto'];
const SHAPE_ICONS = { sba: IconAd2, video: IconVideo, manual: IconListSearch, auto: IconWand } as const;
const MATCH_TYPES = ['exact', 'phrase', 'broad'];

/** The page for a new campaign: empty, from a template, or filled from another campaign. */
export function NewCampaignScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const begun = useView((s) => s.formOf);
  // Read once per new form: the stored form changes with every keystroke after that.
  const first = useMemo((): FirstForm | null => {
    const kept = store.getState().forms[workspaceId];
    if (begun.like !== null && kept === undefined) return null;
    const filled = (values = {}): CampaignDraft => ({ ...EMPTY_DRAFT, ...values });
    return { shape: kept?.shape ?? begun.shape, draft: filled(kept?.values), start: filled(kept?.first), like: null };
  }, [store, workspaceId, begun]);
  if (first !== null) return <CampaignForm workspaceId={workspaceId} first={first} />;
  return begun.like && <FormLike key={begun.like} workspaceId={workspaceId} campaignId={begun.like} />;
}

/** Waits for all rows of the campaign, because the user may already be typing when later rows arrive. */
function FormLike({ workspaceId, campaignId }: { readonly workspaceId: string; readonly campaignId: number }) {
  const { store } = useAppContext();
  const { openForm } = store.getState();
  const campaigns = useRows(workspaceId, { kind: 'campaign', campaignId }, ALL_ROWS);
  const items = useRows(workspaceId, { kind: 'adItem', campaignId }, ALL_ROWS);
  const keywords = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS);
  const profiles = useRows(workspaceId, { kind: 'sbaProfile', campaignId }, ALL_ROWS);
  const waiting = waitingFor([campaigns, items, keywords, profiles]);
  const campaign = campaigns.data?.rows[0];
  if (waiting !== null) return <Waiting {...waiting} />;
  if (campaign === undefined) {
    return (
      <Empty heading title={texts.gone} text={texts.goneText}>
        <Button variant="filled" onClick={() => openForm(store.getState().formOf.shape)}>
          {texts.empty}
        </Button>
      </Empty>
    );
  }
  const rowsIn = ({ data }: typeof items) => data?.rows ?? [];
  const draft = draftOf({
    campaign,
    items: rowsIn(items),
    keywords: rowsIn(keywords),
    profiles: rowsIn(profiles),
  });
  const first = { shape: shapeOf(campaign), draft, start: draft, like: draft.name };
  return <CampaignForm workspaceId={workspaceId} first={first} />;
}

/** The initial content of the form. */
interface FirstForm {
  readonly shape: CampaignShape;
  readonly draft: CampaignDraft;
  /** The initial values before any edit, to tell whether the user has typed. */
  readonly start: CampaignDraft;
  /** Name of the campaign the form was filled from, if any. */
  readonly like: string | null;
}

interface CampaignFormProps {
  readonly workspaceId: string;
  readonly first: FirstForm;
}

/**
 * The form of a campaign with its ad group, profile, items and keywords, created as one undo step. Only the name is
 * required.
 */
function CampaignForm({ workspaceId, first }: CampaignFormProps) {
  const app = useAppContext();
  const { store, actions, toasts } = app;
  const { keepForm, openPlace, goTo } = store.getState();
  const [shape, setShape] = useState(first.shape);
  const [draft, setDraft] = useState(first.draft);
  const [start, setStart] = useState(first.start);
  const [template, setTemplate] = useState('');
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  /** IDs of the inputs that have lost the focus once: their errors are shown from then on. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [peeked, setPeeked] = useState<ShownItem | null>(null);
  const [busy, during] = useBusy();
  const withNames = useItemNames(workspaceId);
  const api = useApi();
  const id = useId();
  const launches = useQuery(api.launch.list.queryOptions({ input: { workspaceId, from: 0, count: 0 } }));
  const launch = launches.data;
  const peek = useCallback((item: ShownItem | null) => setPeeked(item), []);
  const begun = useView((s) => s.formOf);
  const [before, setBefore] = useState(begun);
  if (before !== begun) {
    // A command selected another campaign type while the form was open.
    setBefore(begun);
    setShape(begun.shape);
  }
  useEffect(
    () => keepForm(workspaceId, { shape, values: draft, first: start }),
    [keepForm, workspaceId, shape, draft, start],
  );

  useEffect(() => {
    const input = problem === null ? null : document.getElementById(`${id}-${problem.field}`);
    input?.focus();
    // Its text is below the input, and maybe below the edge of the window.
    input?.closest('.mantine-InputWrapper-root')?.scrollIntoView({ block: 'nearest' });
  }, [id, problem]);

  const leave = (): void => {
    keepForm(workspaceId);
    openPlace('rows');
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // Ctrl+Enter may be held or pressed again while the campaign is created.
    if (busy) return;
    const today = TODAY.test(draft.name) ? (launch ?? (await during(launches.refetch())).data)?.today : '';
    if (today === undefined) {
      setProblem({ field: 'name', text: texts.noToday });
      return;
    }
    const name = filledName(draft.name, { today, start: draft.startDate, end: draft.endDate }).trim();
    const rows = draftRows(shape, { ...draft, name });
    if (!rows.ok) {
      setProblem(rows.error);
      return;
    }
    const created = await during(actions.create(texts.label(name), withNames(rows.value)));
    const campaign = created?.touched.find((ref) => ref.kind === 'campaign');
    if (campaign === undefined) return;
    keepForm(workspaceId);
    // Another account may be open by now, in which this number is another campaign.
    if (store.getState().workspaceId !== workspaceId) return;
    const kind = shape === 'video' ? 'videoProfile' : shape === 'sba' ? 'sbaProfile' : 'adItem';
    goTo({ kind, campaignId: campaign.id });
    toasts.tell(texts.created(name));
  };
  const set = (name: keyof CampaignDraft, value: string): void => {
    setDraft((before) => ({ ...before, [name]: value }));
    setProblem(null);
  };
  const errorOf = (name: keyof CampaignDraft) => {
    if (problem?.field === name) return problem.text;
    return left.has(`${id}-${name}`) ? fieldProblem(name, draft) : undefined;
  };
  const field = (name: keyof CampaignDraft) => ({
    id: `${id}-${name}`,
    label: isNamedHere(name) ? campaignFormTexts.labels[name] : fieldName(name),
    value: draft[name],
    error: errorOf(name),
    size: 'xs' as const,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => set(name, event.currentTarget.value),
  });
  const lineInput = (line: FormLine) => (
    <LineInput key={line.field} line={line} text={draft[line.field]} input={field(line.field)} />
  );
  const begin = (chosen: CampaignTemplate | null): void => {
    const empty = first.like === null ? EMPTY_DRAFT : first.draft;
    const next = chosen === null ? empty : draftFrom(chosen.form);
    setTemplate(chosen?.name ?? '');
    setShape(chosen?.shape ?? first.shape);
    setDraft(next);
    setStart(next);
    setProblem(null);
  };
  const items = itemLines(draft.items).map(({ itemId }) => ({ itemId, name: '' }));
  const keywords = draft.keywords.split('\n').filter((line) => line.trim() !== '');
  return (
    <form
      className={styles['form-page']}
      onSubmit={(event) => void submit(event)}
      onKeyDown={formKeys(() => discardForm(app, leave))}
      onBlur={({ target }) => setLeft((before) => new Set(before).add(target.id))}
      noValidate
    >
      <header className={styles['form-head']}>
        <h1>{texts.title}</h1>
        <span className={ui['toolbar-gap']} />
        <TemplateMenu
          workspaceId={workspaceId}
          like={first.like}
          onChoose={(chosen) => discardForm(app, () => begin(chosen))}
        />
        <SaveTemplate shape={shape} draft={draft} name={isStarter(template) ? '' : template} />
      </header>
      <div className={styles['form-body']}>
        <div className={styles['form-fields']} data-scrolls="">
          <h2 id={`${id}-type`}>{texts.shape}</h2>
          <div role="radiogroup" aria-labelledby={`${id}-type`} className={styles['shapes']}>
            {SHAPES.map((each) => (
              <ShapeCard key={each} shape={each} isChosen={each === shape} onChoose={() => setShape(each)} />
            ))}
          </div>
          <h2>{texts.money}</h2>
          <TextInput
            {...field('name')}
            ref={takeFocus}
            withAsterisk
            description={/\[/.test(draft.name) ? texts.tokens : null}
            inputWrapperOrder={BELOW}
          />
          <div className={styles['form-row']}>
            {CAMPAIGN_LINES.filter(({ field: name }) => name !== 'name').map((line) =>
              line.spec.type.is === 'date' ? (
                <DayField key={line.field} {...field(line.field)} onChange={(day) => set(line.field, day)} />
              ) : (
                lineInput(line)
              ),
            )}
          </div>
          <p className={ui['quiet']}>{costText(shape, draft, launch)}</p>
          <div className={styles['form-title']}>
            <h2>{texts.items}</h2>
            <span className={ui['quiet']}>{texts.itemCount(items.length)}</span>
          </div>
          <ItemFinder
            workspaceId={workspaceId}
            value={draft.items}
            onChange={(value) => set('items', value)}
            bid={draft.bid}
            error={errorOf('items')}
            onPeek={peek}
          />
          <div className={styles['form-title']}>
            <h2>{hasKeywords(shape) ? texts.keywords : texts.bid}</h2>
            {hasKeywords(shape) && <span className={ui['quiet']}>{texts.keywordCount(keywords.length)}</span>}
          </div>
          <div className={styles['form-row']}>
            <TextInput {...field('bid')} inputMode="decimal" />
            {hasKeywords(shape) && (
              <NativeSelect
                {...field('matchType')}
                data={MATCH_TYPES.map((value) => ({ value, label: choiceName(value) }))}
              />
            )}
          </div>
          {hasKeywords(shape) && (
            <Textarea
              {...field('keywords')}
              rows={6}
              description={campaignFormTexts.keywordsHint}
              inputWrapperOrder={BELOW}
            />
          )}
        </div>
        <div className={styles['form-side']} data-scrolls="">
          <ShopperPreview
            workspaceId={workspaceId}
            shape={shape}
            brand={draft.brand}
            headline={draft.headline}
            file={draft.file === '' ? null : Number(draft.file)}
            words={keywords[0]?.split('\t')[0] ?? ''}
            items={items}
            peeked={peeked}
          />
          {(shape === 'sba' || shape === 'video') && (
            <div className={styles['form-banner']}>
              {shape === 'sba' && BANNER_LINES.slice(0, 1).map(lineInput)}
              <FileField
                key={shape}
                workspaceId={workspaceId}
                shape={shape}
                value={draft.file}
                onChange={(file) => set('file', file)}
              />
              {shape === 'sba' && BANNER_LINES.slice(1).map(lineInput)}
            </div>
          )}
          <Missing shape={shape} draft={draft} refused={problem} />
        </div>
      </div>
      <FormActions busy={busy} onCancel={() => discardForm(app, leave)}>
        {texts.create}
      </FormActions>
    </form>
  );
}

interface ShapeCardProps {
  readonly shape: CampaignShape;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ShapeCard({ shape, isChosen, onChoose }: ShapeCardProps) {
  const Icon = SHAPE_ICONS[shape];
  const { name, text } = texts.shapes[shape];
  return (
    <label className={isChosen ? `${styles['shape']} ${styles['shape-chosen']}` : styles['shape']}>
      <input type="radio" name="shape" checked={isChosen} onChange={onChoose} />
      <Icon size={20} stroke={1.5} aria-hidden="true" />
      <span className={styles['shape-name']}>{name}</span>
      <span className={ui['quiet']}>{text}</span>
    </label>
  );
}

interface Waits {
  readonly reviewDays: { readonly max: number };
  readonly mediaMinutes: number;
}

/** The maximum cost of the campaign, and the last day to submit it for review. */
function costText(shape: CampaignShape, draft: CampaignDraft, waits: Waits | undefined): string {
  const cents = (name: 'dailyBudget' | 'totalBudget'): number | null => {
    const cell = readCell('campaign', name, draft[name]);
    return cell.ok && typeof cell.value === 'number' ? cell.value : null;
  };
  const [start, end, daily] = [plainDate(draft.startDate), plainDate(draft.endDate), cents('dailyBudget')];
  const cost = flightCost(start, end, daily, cents('totalBudget'));
  const price = cost === null ? '' : texts.cost(cost.days, moneyText(daily ?? 0), moneyText(cost.cents), cost.isCapped);
  const needsReview = shape === 'sba' || shape === 'video';
  if (!needsReview || start === null || waits === undefined) return price || texts.costHint;
  const profile = { review: { days: waits.reviewDays }, media: { processingMinutes: waits.mediaMinutes } };
  const last = submitBy(start, profile, shape === 'video');
  return `${price} ${texts.submit(fullDayText(last), fullDayText(start))}`.trim();
}

interface FileFieldProps {
  readonly workspaceId: string;
  readonly shape: 'sba' | 'video';
  /** Row ID in the media library; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Selects the ad's logo or video from the media library. A file that is added while none is selected is selected. */
function FileField({ workspaceId, shape, value, onChange }: FileFieldProps) {
  const { store } = useAppContext();
  const { isRead, filesFor } = useMedia(workspaceId);
  const files = filesFor(shape === 'sba' ? 'logo' : 'video');
  const known = useRef<number | null>(null);
  const newest = Math.max(0, ...files.map(({ id }) => id));
  // A logo that was resized is another file: the one it replaces is no longer there.
  const isSelected = files.some(({ id }) => String(id) === value);
  useEffect(() => {
    if (!isRead) return;
    if (known.current !== null && newest > known.current && !isSelected) onChange(String(newest));
    known.current = newest;
  }, [isRead, newest, isSelected, onChange]);
  const data = files.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <NativeSelect
      size="xs"
      label={shape === 'sba' ? texts.logo : texts.video}
      value={value}
      data={[{ value: '', label: texts.noFile }, ...data]}
      description={
        <button
          type="button"
          className={ui['card-link']}
          onClick={() => store.getState().show({ name: 'media', files: [] })}
        >
          {texts.addFile}
        </button>
      }
      inputWrapperOrder={BELOW}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface MissingProps {
  readonly shape: CampaignShape;
  readonly draft: CampaignDraft;
  /** What the last attempt to create the draft found wrong, such as a line of the keywords. */
  readonly refused: DraftProblem | null;
}

/** The fields that a campaign of this type needs before it can go live but are empty, and all with an error. */
function Missing({ shape, draft, refused }: MissingProps) {
  const { labels } = campaignFormTexts;
  const isEmpty = (name: keyof CampaignDraft): boolean => draft[name].trim() === '';
  const banner = shape === 'sba' ? BANNER_LINES : [];
  const fields: readonly (readonly [keyof CampaignDraft, string, isNeeded?: boolean])[] = [
    ['name', labels.name],
    ['dailyBudget', labels.dailyBudget, isEmpty('totalBudget')],
    ['totalBudget', labels.totalBudget, false],
    ['startDate', fieldName('startDate')],
    ['endDate', fieldName('endDate'), false],
    ['items', KIND_NAMES.adItem.many],
    ['bid', labels.bid, false],
    ...(hasKeywords(shape) ? [['keywords', KIND_NAMES.keyword.many] as const] : []),
    ...banner.map(({ field }) => [field, fieldName(field)] as const),
    ['file', shape === 'sba' ? texts.logo : texts.video, shape === 'sba' || shape === 'video'],
  ];
  const missing = fields.flatMap(([field, name, isNeeded = true]) => {
    const problem = refused?.field === field ? refused.text : fieldProblem(field, draft);
    if (problem !== undefined) return { field, text: texts.wrong(name, problem), isLong: true };
    return isNeeded && isEmpty(field) ? { field, text: name, isLong: false } : [];
  });
  return (
    <section className={styles['missing']} aria-label={texts.missing}>
      <h2>{texts.missing}</h2>
      {missing.length === 0 && (
        <p className={styles['missing-none']}>
          <IconCircleCheck size={16} stroke={1.5} aria-hidden="true" /> {texts.nothingMissing}
        </p>
      )}
      <ul>
        {missing.map(({ field, text, isLong }) => (
          <li key={field} className={isLong ? styles['missing-wrong'] : undefined}>
            <IconCircleDashed size={16} stroke={1.5} aria-hidden="true" /> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DayFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly size: 'xs';
  readonly onChange: (day: string) => void;
}

/** A date field with its label and error, laid out like the other fields of the form. */
function DayField({ id, label, value, error, size, onChange }: DayFieldProps) {
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

const BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** Whether the form has its own label for a field, different from the grid's. */
const isNamedHere = (name: string): name is keyof typeof campaignFormTexts.labels =>
  Object.hasOwn(campaignFormTexts.labels, name);

/** A text field; shows the characters used if the deployment limits the length. */
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
  return (
    <TextInput {...input} description={<Used text={text} max={max} />} classNames={{ root: styles['counted'] ?? '' }} />
  );
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
  /** Name of the template the form was filled from, offered again. */
  readonly name: string;
}

function SaveTemplate({ shape, draft, name }: SaveTemplateProps) {
  const { store } = useAppContext();
  const actions = useActions(templateActions);
  const ask = (): void =>
    store.getState().show({
      name: 'name',
      title: texts.save,
      label: texts.name,
      hint: texts.nameHint,
      value: name,
      button: texts.saveNow,
      // Dates are not stored: they would be past when the template is used.
      run: (text) => actions.saveTemplate({ name: text, shape, form: storedForm(draft) }),
    });
  return (
    <Button variant="subtle" onClick={ask}>
      {texts.save}
    </Button>
  );
}

interface TemplateMenuProps {
  readonly workspaceId: string;
  /** Name of the campaign the form was filled from, if any. */
  readonly like: string | null;
  /** Null clears the form. */
  readonly onChoose: (template: CampaignTemplate | null) => void;
}

/** Menu of starting points: an empty form, saved templates, or the built-in template of the type. */
function TemplateMenu({ workspaceId, like, onChoose }: TemplateMenuProps) {
  const actions = useActions(templateActions);
  const kept = useQuery(useApi().templates.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const entry = (template: CampaignTemplate) => (
    <Menu.Item key={template.name} onClick={() => onChoose(template)}>
      {template.name}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="subtle" rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden="true" />}>
          {texts.from}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose(null)}>{like === null ? texts.empty : texts.like(like)}</Menu.Item>
        {kept.length > 0 && <Menu.Label>{texts.kept}</Menu.Label>}
        {kept.map(entry)}
        <Menu.Label>{texts.starting}</Menu.Label>
        {STARTERS.map(entry)}
        {kept.length > 0 && <Menu.Divider />}
        {kept.map(({ name }) => (
          <Menu.Item
            key={name}
            leftSection={<IconTrash size={14} stroke={1.5} aria-hidden="true" />}
            onClick={() => void actions.removeTemplate(name)}
          >
            {texts.remove(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The tokens that need the day of the account. */
const TODAY = /\[(today|month)\]/i;

/** Values of the tokens in a campaign name. */
interface NameFacts {
  /** Dates as 2030-06-01; empty if not set. Today is the day of the account, as for its start dates. */
  readonly today: string;
  readonly start: string;
  readonly end: string;
}

/**
 * Replaces `[today]`, `[month]`, `[start]` and `[end]` in a name. Tokens without a value, and other text in brackets,
 * are kept: users notice an unfinished name, but not a gap.
 */
export function filledName(name: string, { today, start, end }: NameFacts): string {
  const facts: Readonly<Record<string, string>> = { today, month: today.slice(0, 7), start, end };
  return name.replace(/\[(today|month|start|end)\]/gi, (token, word: string) => facts[word.toLowerCase()] || token);
}

/** Budgets and bids that the service accepts; names with tokens are added below. The user fills in the rest. */
const FORMS: Readonly<Record<CampaignShape, Readonly<Record<string, string>>>> = {
  video: { dailyBudget: '100.00', bid: '1.50', matchType: 'broad' },
  sba: { dailyBudget: '100.00', bid: '1.20', matchType: 'phrase' },
  auto: { dailyBudget: '50.00', bid: '0.60' },
  manual: { dailyBudget: '50.00', bid: '0.80', matchType: 'exact' },
};

const STARTER_SHAPES: readonly CampaignShape[] = ['video', 'sba', 'auto', 'manual'];

/** A built-in template for each campaign type. */
export const STARTERS: readonly CampaignTemplate[] = STARTER_SHAPES.map((shape) => ({
  name: texts.starters[shape].name,
  shape,
  form: { ...FORMS[shape], name: texts.starters[shape].campaign },
}));

const isStarter = (name: string): boolean => STARTERS.some((starter) => starter.name === name);

/** Changes templates of the open account. The functions return false after a failure, which a toast has reported. */
function templateActions(context: ActionContext) {
  const { client } = context.connection;
  const told = (done: unknown, text: string): boolean => {
    if (done !== null) context.toasts.tell(text);
    return done !== null;
  };
  return {
    saveTemplate: async (template: CampaignTemplate) =>
      told(
        await runAction(context, (workspaceId) => client.templates.save({ workspaceId, template })),
        texts.saved(template.name),
      ),
    removeTemplate: async (name: string) =>
      told(
        await runAction(context, (workspaceId) => client.templates.remove({ workspaceId, name })),
        texts.removed(name),
      ),
  };
}
