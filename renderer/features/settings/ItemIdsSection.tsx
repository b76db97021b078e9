import { Button, Group, Select } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AcceptedIds, DamagedItemId, ItemFacts as Facts, IdScan } from '../../../shared/api/items.ts';
import { type ActionContext, grantFile, runAction, runEdit } from '../../app/actions.ts';
import { useActions } from '../../app/app-context.ts';
import { moneyText, plural } from '../../app/locale/numbers.ts';
import { saveFrom } from '../../app/save-text.ts';
import { Empty } from '../../components/Empty.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import ui from '../../components/ui.module.css';
import styles from './settings.module.css';

const texts = {
  suggested: (bid: string) => `suggested bid ${bid}`,
  page: 'Item page',
  picture: 'Picture',
  looking: 'Searching items…',
  explain:
    'Finds item IDs that a spreadsheet program damaged or that the item ID migration replaced. Adslate suggests only IDs that the service or this account knows.',
  sound: 'No damaged item IDs',
  soundText: (n: number) => `${plural(n, 'item ID')} checked.`,
  noDrafts: 'No unsynced items to check. The IDs of synced items come from the service. You can check a spreadsheet.',
  noIds: 'The spreadsheet has no item IDs.',
  notSearched: 'Item search is not available. Suggestions come from this account only.',
  rows: (n: number) => plural(n, 'row'),
  instead: (id: string) => `Replace ${id}`,
  leave: "Don't replace",
  nothing: 'No match. Use item search in the item list.',
  sheet: 'Check a spreadsheet…',
  drafts: 'Check this account',
  apply: (n: number) => `Replace ${plural(n, 'ID')}`,
  repair: (n: number) => `Save spreadsheet with ${plural(n, 'ID')} replaced`,
  report: 'Save ID mapping',
  applied: (n: number) => `${plural(n, 'row')} changed. Press Ctrl+Z to undo.`,
  damage: {
    legacy: 'Old format',
    'too-new': 'New format, but the account is not migrated yet',
    scientific: 'Scientific notation',
    'decimal-ending': 'Decimal number',
    grouped: 'Number with thousands separators',
    marked: 'Extra characters or spaces',
    'lost-zeros': 'Fewer than 10 digits',
    'too-long': 'More than 10 digits',
    unreadable: 'Not recognizable',
  } as Readonly<Record<DamagedItemId['damage'], string>>,
  source: {
    service: 'From the service',
    search: 'From item search',
    account: 'From this account',
    name: 'Matched by name',
  },
} as const;

/** Finds item IDs that were damaged by other programs, in the account or in a spreadsheet, and repairs them. */
export function ItemIdsSection() {
  const actions = useActions(itemIdActions);
  const picker = useRef<HTMLInputElement>(null);
  const checks = useRef(0);
  const [scan, setScan] = useState<IdScan | null>(null);
  const [busy, setBusy] = useState(true);
  /** Replacements by ID; an ID to be left unchanged has none. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());

  const look = async (file: File | null): Promise<void> => {
    checks.current += 1;
    const own = checks.current;
    setBusy(true);
    const found = await actions.scanItemIds(file);
    // A later check was begun while this one searched items.
    if (own !== checks.current) return;
    setBusy(false);
    if (found === null) return;
    setScan(found);
    setChosen(
      new Map(found.damaged.flatMap(({ itemId, proposed }) => (proposed === null ? [] : [[itemId, proposed]]))),
    );
  };
  const lookFirst = useEffectEvent(() => void look(null));
  useEffect(() => {
    if (checks.current === 0) lookFirst();
  }, []);

  const accepted: AcceptedIds = [...chosen].map(([from, to]) => ({ from, to }));
  const save = async (what: 'report' | 'repairFile'): Promise<void> => {
    const file = scan === null ? null : await actions.saveItemIds(what, scan.scanId, accepted);
    if (file !== null) saveFrom(file.fileName, file.url);
  };
  const apply = async (): Promise<void> => {
    if (await actions.applyItemIds(accepted)) await look(null);
  };
  const isSheet = scan !== null && scan.fileName !== null;
  return (
    <>
      {isSheet && <h2>{scan.fileName}</h2>}
      <p className={ui['quiet']}>{busy ? texts.looking : texts.explain}</p>
      {scan !== null && scan.notSearched !== null && <p className={ui['note-warning']}>{texts.notSearched}</p>}
      {scan !== null && scan.damaged.length === 0 && (
        <Empty
          title={texts.sound}
          text={scan.ids > 0 ? texts.soundText(scan.ids) : isSheet ? texts.noIds : texts.noDrafts}
        />
      )}
      {scan !== null && <DamagedIds damaged={scan.damaged} chosen={chosen} onChoose={setChosen} />}
      <FilePicker
        ref={picker}
        aria-label={texts.sheet}
        accept=".csv,.tsv,.txt,.xlsx"
        onPick={([file = null]) => void look(file)}
      />
      <Group justify="space-between" mt="md">
        <Group gap="xs">
          <Button disabled={busy} onClick={() => picker.current?.click()}>
            {texts.sheet}
          </Button>
          {isSheet && <Button onClick={() => void look(null)}>{texts.drafts}</Button>}
        </Group>
        <Group gap="xs">
          <Button disabled={scan === null || scan.damaged.length === 0} onClick={() => void save('report')}>
            {texts.report}
          </Button>
          <Button
            disabled={accepted.length === 0 || busy}
            onClick={() => void (isSheet ? save('repairFile') : apply())}
          >
            {isSheet ? texts.repair(accepted.length) : texts.apply(accepted.length)}
          </Button>
        </Group>
      </Group>
    </>
  );
}

/** The value of the option that leaves an ID unchanged; no ID has one character. */
const LEAVE = '-';

interface DamagedIdsProps {
  readonly damaged: readonly DamagedItemId[];
  readonly chosen: ReadonlyMap<string, string>;
  readonly onChoose: (chosen: ReadonlyMap<string, string>) => void;
}

/** The damaged IDs with their location and replacement. */
function DamagedIds({ damaged, chosen, onChoose }: DamagedIdsProps) {
  const choose = (itemId: string, to: string | null): void => {
    const next = new Map(chosen);
    if (to === null || to === LEAVE) next.delete(itemId);
    else next.set(itemId, to);
    onChoose(next);
  };
  return (
    <ul className={`${ui['lines']} ${styles['damaged-ids']}`}>
      {damaged.map(({ itemId, damage, rows, first, candidates }) => (
        <li key={itemId} className={ui['line']}>
          <span className={ui['line-text']}>
            <code>{itemId}</code> <span className={ui['quiet']}>{texts.damage[damage]}</span>
          </span>
          <span className={`${ui['line-where']} ${ui['quiet']}`}>
            {texts.rows(rows)} · {first[0]?.campaign}
          </span>
          {candidates.length === 0 ? (
            <span className={ui['quiet']}>{texts.nothing}</span>
          ) : (
            <div>
              <Select
                size="xs"
                className={styles['damaged-choice']}
                aria-label={texts.instead(itemId)}
                allowDeselect={false}
                value={chosen.get(itemId) ?? LEAVE}
                data={[
                  ...candidates.map((one) => ({ value: one.itemId, label: labelOf(one) })),
                  { value: LEAVE, label: texts.leave },
                ]}
                onChange={(to) => choose(itemId, to)}
              />
              {candidates
                .filter((one) => one.itemId === chosen.get(itemId))
                .map((one) => (
                  <ItemFacts key={one.itemId} facts={one.facts} />
                ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A candidate in one line: its ID, name, suggested bid if names are the same, and why it is a candidate. */
function labelOf({ itemId, name, source, facts }: DamagedItemId['candidates'][number]): string {
  const bid = facts?.suggestedBidCents ?? null;
  const parts = [itemId, name ?? '', bid === null ? '' : texts.suggested(moneyText(bid)), texts.source[source]];
  return parts.filter((part) => part !== '').join(' · ');
}

/**
 * The suggested bid of an item, and links to its page and picture. Neither the window nor main requests these
 * addresses, whose hosts are not allowed: the browser opens them on a click. Addresses that are not https are not
 * shown.
 */
function ItemFacts({ facts }: { readonly facts: Facts | undefined }) {
  const places = [
    { name: texts.page, address: facts?.pageUrl ?? null },
    { name: texts.picture, address: facts?.imageUrl ?? null },
  ];
  const bid = facts?.suggestedBidCents ?? null;
  return (
    <p className={`${styles['item-facts']} ${ui['quiet']}`}>
      {bid !== null && <span>{texts.suggested(moneyText(bid))}</span>}
      {places.map(({ name, address }) =>
        address === null ? null : isSecure(address) ? (
          <a key={name} className={ui['link']} href={address} title={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        ) : (
          <span key={name} className={styles['item-address']} title={address}>
            {name}: {address}
          </span>
        ),
      )}
    </p>
  );
}

const isSecure = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

/** Actions for damaged item IDs, in the account or in a spreadsheet. */
function itemIdActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    /** @param file the spreadsheet to check; null for the account */
    scanItemIds: async (file: File | null) => {
      if (file === null) return runAction(context, (workspaceId) => client.itemIds.scan({ workspaceId }));
      const grant = await grantFile(context, file);
      return grant === null ? null : runAction(context, (workspaceId) => client.itemIds.scan({ workspaceId, grant }));
    },
    applyItemIds: async (accepted: AcceptedIds) => {
      const applied = await runEdit(context, (workspaceId) => client.itemIds.repair({ workspaceId, accepted }));
      if (applied !== null) context.toasts.tell(texts.applied(applied.rows));
      return applied !== null;
    },
    saveItemIds: (what: 'report' | 'repairFile', scanId: string, accepted: AcceptedIds) =>
      runAction(context, (workspaceId) => client.itemIds[what]({ workspaceId, scanId, accepted })),
  };
}
