import { Button, Group, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { FoundItem, NewRow } from '../../app/actions.ts';
import { useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { choiceName, fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { editText, readCell } from '../../app/locale/cells.ts';
import { countText, inSentence } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { takeFocus } from '../../components/take-focus.ts';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { ItemPage } from '../shell/ItemPage.tsx';
import { OfflineNotice } from '../shell/OfflineNotice.tsx';
import { ServicePicture } from '../shell/ServicePicture.tsx';
import { CampaignChoice } from '../tools/CampaignChoice.tsx';
import styles from './campaign-form.module.css';
import { readLines } from './lines.ts';
import { campaignFormTexts } from './text.ts';

const texts = {
  button: 'Add',
  search: 'Search your items',
  searchButton: 'Search',
  searchNone: 'No matching items.',
  pick: (name: string) => `Add ${name}`,
  picked: 'Added',
  suggested: (bid: string) => `suggested bid ${bid}`,
  label: (n: number, what: string) => `Add ${countText(n)} ${what}`,
  variants: (count: number) => (count === 1 ? '1 variant' : `${count} variants`),
} as const;

/** Rows for the open campaign, or the one that is chosen: pasted lines for items and keywords, one empty row for anything else. */
export function AddRowsDialog({ workspaceId }: { readonly workspaceId: string }) {
  const { kind, opened } = useViewOf((s) => ({ kind: s.kind, opened: s.campaignId }));
  const { dismiss } = useAppContext().store.getState();
  const [chosen, setChosen] = useState<WindowRow['id'] | null>(null);
  const campaignId = opened ?? chosen;
  const groups = useRows(workspaceId, campaignId === null ? null : { kind: 'adGroup', campaignId }).data?.rows;
  const group = groups?.[0];
  const wanted: Kind = kind === 'campaign' || kind === 'adGroup' || kind === 'media' ? 'adItem' : kind;
  const title = appTexts.add.title(inSentence(KIND_NAMES[wanted].many));
  const byCampaign = wanted === 'placementMultiplier' || wanted === 'platformMultiplier';
  const parent = byCampaign ? campaignId : (group?.id ?? null);
  return (
    <Modal opened onClose={dismiss} title={title} size="md">
      {opened === null && <CampaignChoice workspaceId={workspaceId} chosen={chosen} onChoose={setChosen} />}
      {groups !== undefined && parent === null && <Problem of={dialogTexts.copies.noGroup} />}
      {parent !== null && (
        <AddRowsForm
          key={parent}
          kind={wanted}
          parent={parent}
          to={opened === null ? '' : (group?.campaignName ?? '')}
        />
      )}
    </Modal>
  );
}

function AddRowsForm({ kind, parent, to }: { readonly kind: Kind; readonly parent: number; readonly to: string }) {
  const { store, actions } = useAppContext();
  const { dismiss } = store.getState();
  const pasted = kind === 'adItem' || kind === 'keyword';
  const [text, setText] = useState('');
  const [bid, setBid] = useState(() => editText('keyword', 'bid', 150));
  const [matchType, setMatchType] = useState('broad');
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);

  /** What the search said of an item that was picked from it. */
  const foundAs = (values: NewRow['values']): NewRow['values'] => {
    const itemName = typeof values['itemId'] === 'string' ? picked.get(values['itemId']) : undefined;
    return itemName === undefined ? {} : { itemName, itemIdSource: 'search' };
  };
  const rows = (): readonly NewRow[] | null => {
    const under = { id: parent };
    if (kind !== 'adItem' && kind !== 'keyword') return [{ kind, parent: under, values: firstValues(kind) }];
    const money = readCell(kind, 'bid', bid);
    const shared = { bid: money.ok ? money.value : null };
    const defaults = kind === 'adItem' ? { ...shared, status: 'enabled' } : { ...shared, matchType, state: 'enabled' };
    const lines = readLines(kind, text, defaults);
    if (lines.ok)
      return lines.value.map((values) => ({ kind, parent: under, values: { ...values, ...foundAs(values) } }));
    setProblem(campaignFormTexts.line(lines.error.line, lines.error.text));
    return null;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = rows();
    if (wanted === null || wanted.length === 0) return;
    const created = await actions.create(texts.label(wanted.length, inSentence(KIND_NAMES[kind].many)), wanted);
    const first = created?.touched[0];
    if (first === undefined) return;
    dismiss();
    const { campaignId } = store.getState();
    store.getState().reveal(kind, campaignId, first.id, null);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {to !== '' && <p className={ui['quiet']}>{to}</p>}
      {pasted && (
        <>
          <Textarea
            size="xs"
            rows={8}
            ref={to === '' ? null : takeFocus}
            label={kind === 'adItem' ? campaignFormTexts.labels.items : campaignFormTexts.labels.keywords}
            description={kind === 'adItem' ? campaignFormTexts.itemsHint : campaignFormTexts.keywordsHint}
            value={text}
            error={problem}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(null);
            }}
          />
          {kind === 'adItem' && (
            <ItemSearch
              lines={text}
              onPick={({ line, itemId, name }) => {
                setPicked((before) => new Map(before).set(itemId, name));
                setText((before) => `${before.trimEnd()}\n${line}\n`.trimStart());
              }}
            />
          )}
          <div className={ui['form-two']}>
            {kind === 'keyword' && (
              <NativeSelect
                label={fieldName('matchType')}
                value={matchType}
                data={['exact', 'phrase', 'broad'].map((value) => ({ value, label: choiceName(value) }))}
                onChange={(event) => setMatchType(event.currentTarget.value)}
              />
            )}
            <TextInput
              size="xs"
              label={campaignFormTexts.labels.bid}
              inputMode="decimal"
              value={bid}
              onChange={(event) => setBid(event.currentTarget.value)}
            />
          </div>
        </>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={dismiss}>{campaignFormTexts.cancel}</Button>
        <Button type="submit" variant="filled" ref={to === '' || pasted ? null : takeFocus}>
          {texts.button}
        </Button>
      </Group>
    </form>
  );
}

/** What a row of this kind starts with; 100.00 % leaves the bid as it is. */
function firstValues(kind: Kind): NewRow['values'] {
  if (kind === 'placementMultiplier') return { placement: 'Search Ingrid', multiplier: 10_000 };
  if (kind === 'platformMultiplier') return { platform: 'Desktop', multiplier: 10_000 };
  return { status: 'enabled' };
}

interface PickedItem {
  /** The line that adds it. */
  readonly line: string;
  readonly itemId: string;
  readonly name: string;
}

interface ItemSearchProps {
  /** Lines typed so far; an item that stands in them is shown as taken. */
  readonly lines: string;
  readonly onPick: (item: PickedItem) => void;
}

/** Looks items up on the service by words, so that nobody has to know their ids. Variants are listed below their item. */
function ItemSearch({ lines, onPick }: ItemSearchProps) {
  const { actions } = useAppContext();
  const [text, setText] = useState('');
  const [busy, during] = useBusy();
  const [found, setFound] = useState<readonly FoundItem[] | null>(null);

  const search = async (): Promise<void> => {
    if (text.trim() === '') return;
    setFound(await during(actions.searchItems(text.trim())));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // The field stands inside the form that adds the rows.
    event.preventDefault();
    void search();
  };
  return (
    <div className={styles['item-search']}>
      <OfflineNotice />
      <div className={ui['answer']}>
        <TextInput
          size="xs"
          aria-label={texts.search}
          placeholder={texts.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button loading={busy} onClick={() => void search()}>
          {texts.searchButton}
        </Button>
      </div>
      {found?.length === 0 && <p className={ui['quiet']}>{texts.searchNone}</p>}
      {found !== null && found.length > 0 && (
        <ul className={`${ui['lines']} ${styles['found-items']}`}>
          {found.map((item) => (
            <FoundLine key={item.itemId} item={item} lines={lines} onPick={onPick} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** An item with its variants, which open below it. */
function FoundLine({ item, lines, onPick }: ItemSearchProps & { readonly item: FoundItem }) {
  const bid = item.suggestedBidCents === null ? '' : editText('adItem', 'bid', item.suggestedBidCents);
  return (
    <li>
      <ItemLine item={item} bid={bid} pageUrl={item.pageUrl} lines={lines} onPick={onPick} />
      {item.variants.length > 0 && (
        <details className={styles['item-variants']}>
          <summary>{texts.variants(item.variants.length)}</summary>
          <ul>
            {item.variants.map((variant) => (
              <li key={variant.itemId}>
                <ItemLine item={variant} bid={bid} pageUrl={null} lines={lines} onPick={onPick} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

interface ItemLineProps extends ItemSearchProps {
  readonly item: Pick<FoundItem, 'itemId' | 'name'>;
  readonly bid: string;
  readonly pageUrl: string | null;
}

function ItemLine({ item, bid, pageUrl, lines, onPick }: ItemLineProps) {
  const workspaceId = useView((s) => s.workspaceId) ?? '';
  const { itemId, name } = item;
  const taken = lines.split(/[\s,;]+/u).includes(itemId);
  return (
    <div className={`${ui['line']} ${styles['item-line']}`}>
      <ServicePicture workspaceId={workspaceId} of={{ is: 'item', itemId }} alt="" size={{ width: 36, height: 36 }} />
      <span className={ui['line-text']}>
        {name} <span className={`${ui['quiet']} ${ui['numeric']}`}>{itemId}</span>
        {bid !== '' && <span className={ui['quiet']}> {texts.suggested(bid)}</span>}{' '}
        <ItemPage url={pageUrl} name={name} />
      </span>
      <Chip
        disabled={taken}
        aria-label={texts.pick(name)}
        onClick={() => onPick({ line: `${itemId} ${bid}`.trim(), itemId, name })}
      >
        {taken ? texts.picked : texts.button}
      </Chip>
    </div>
  );
}
