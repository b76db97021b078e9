import { Button, Group, Modal, Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ExportedFile } from '../../../shared/api/files.ts';
import type { AcceptedIds, DamagedItemId, ItemFacts as Facts, IdScan } from '../../../shared/api/items.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { type ActionContext, runAction } from '../../app/actions/action-context.ts';
import { useActions, useAppContext } from '../../app/app-context.ts';
import { locale } from '../../app/locale/current.ts';
import { saveFrom } from '../../app/save-text.ts';
import { isRefused } from '../../app/transport/connection.ts';
import { Empty } from '../../components/Empty.tsx';
import { en } from '../../texts/en.ts';
import { enItems } from '../../texts/en-items.ts';
import { enAfterSync } from '../../texts/en-sync-followup.ts';

const text = enAfterSync.ids;

/** Finds item ids that were spoiled on the way, in the drafts or in a sheet, and puts in what was meant. */
export function ItemIdsDialog() {
  const { store } = useAppContext();
  const actions = useActions(itemIdActions);
  const { dismiss } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const began = useRef(false);
  const [scan, setScan] = useState<IdScan | null>(null);
  const [busy, setBusy] = useState(true);
  /** What takes the place of an id; an id that is left is not in it. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());

  const look = async (file: File | null): Promise<void> => {
    setBusy(true);
    const found = await actions.scanItemIds(file);
    setBusy(false);
    if (found === null) return;
    setScan(found);
    setChosen(
      new Map(found.damaged.flatMap(({ itemId, proposed }) => (proposed === null ? [] : [[itemId, proposed]]))),
    );
  };
  const run = useRef(look);
  useEffect(() => {
    run.current = look;
  });
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    void run.current(null);
  }, []);

  const accepted: AcceptedIds = [...chosen].map(([from, to]) => ({ from, to }));
  const save = async (what: 'report' | 'mend'): Promise<void> => {
    const file = scan === null ? null : await actions.saveItemIds(what, scan.scanId, accepted);
    if (file !== null) saveFrom(file.fileName, file.url);
  };
  const apply = async (): Promise<void> => {
    if (await actions.applyItemIds(accepted)) dismiss();
  };
  const isSheet = scan !== null && scan.fileName !== null;
  return (
    <Modal opened onClose={dismiss} title={scan?.fileName ?? text.title} size={860}>
      <p className="quiet">{busy ? text.looking : text.explain}</p>
      {scan !== null && scan.notSearched !== null && <p className="note-warning">{text.notSearched}</p>}
      {scan !== null && scan.damaged.length === 0 && <Empty title={text.sound} text={text.soundText(scan.ids)} />}
      {scan !== null && <DamagedIds damaged={scan.damaged} chosen={chosen} onChoose={setChosen} />}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={text.sheet}
        accept=".csv,.tsv,.txt,.xlsx"
        onChange={(event) => void look(event.target.files?.[0] ?? null)}
      />
      <Group justify="space-between" mt="md">
        <Group gap="xs">
          <Button disabled={busy} onClick={() => picker.current?.click()}>
            {text.sheet}
          </Button>
          {isSheet && <Button onClick={() => void look(null)}>{text.drafts}</Button>}
        </Group>
        <Group gap="xs">
          <Button data-autofocus onClick={dismiss}>
            {en.close}
          </Button>
          <Button disabled={scan === null || scan.damaged.length === 0} onClick={() => void save('report')}>
            {text.report}
          </Button>
          <Button
            variant="filled"
            disabled={accepted.length === 0 || busy}
            onClick={() => void (isSheet ? save('mend') : apply())}
          >
            {isSheet ? text.mend(accepted.length) : text.apply(accepted.length)}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}

const damagedText = enAfterSync.ids;
/** No id is this long, so it stands for leaving one. */
const LEAVE = '-';

interface DamagedIdsProps {
  readonly damaged: readonly DamagedItemId[];
  readonly chosen: ReadonlyMap<string, string>;
  readonly onChoose: (chosen: ReadonlyMap<string, string>) => void;
}

/** Every damaged id with where it stands, and what takes its place. */
function DamagedIds({ damaged, chosen, onChoose }: DamagedIdsProps) {
  const choose = (itemId: string, to: string | null): void => {
    const next = new Map(chosen);
    if (to === null || to === LEAVE) next.delete(itemId);
    else next.set(itemId, to);
    onChoose(next);
  };
  return (
    <ul className="lines damaged-ids">
      {damaged.map(({ itemId, damage, rows, first, candidates }) => (
        <li key={itemId} className="line">
          <span className="line-text">
            <code>{itemId}</code> <span className="quiet">{damagedText.damage[damage]}</span>
          </span>
          <span className="line-where quiet">
            {damagedText.rows(rows)} · {first[0]?.campaign}
          </span>
          {candidates.length === 0 ? (
            <span className="quiet">{damagedText.nothing}</span>
          ) : (
            <div>
              <Select
                size="xs"
                className="damaged-choice"
                aria-label={damagedText.instead(itemId)}
                allowDeselect={false}
                value={chosen.get(itemId) ?? LEAVE}
                data={[
                  ...candidates.map((one) => ({ value: one.itemId, label: labelOf(one) })),
                  { value: LEAVE, label: damagedText.leave },
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

/** A candidate in a line: its id, its name, what it would cost where names are the same, and why it is one. */
function labelOf({ itemId, name, source, facts }: DamagedItemId['candidates'][number]): string {
  const bid = facts?.suggestedBidCents ?? null;
  const parts = [
    itemId,
    name ?? '',
    bid === null ? '' : enItems.suggested(locale().amount(bid)),
    damagedText.source[source],
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/**
 * What it would cost, and where a person sees what an item is. Neither the window nor main asks these addresses, whose hosts nobody has allowed:
 * they are links, which the browser opens when somebody clicks, and what is no https address is not even that.
 */
function ItemFacts({ facts }: { readonly facts: Facts | undefined }) {
  const places = [
    { name: enItems.page, address: facts?.pageUrl ?? null },
    { name: enItems.picture, address: facts?.imageUrl ?? null },
  ];
  const bid = facts?.suggestedBidCents ?? null;
  return (
    <p className="item-facts quiet">
      {bid !== null && <span>{enItems.suggested(locale().amount(bid))}</span>}
      {places.map(({ name, address }) =>
        address === null ? null : isSecure(address) ? (
          <a key={name} className="link" href={address} title={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        ) : (
          <span key={name} className="item-address" title={address}>
            {name}: {address}
          </span>
        ),
      )}
    </p>
  );
}

const isSecure = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

/** Item ids that were spoiled, in the drafts or in a sheet. */
interface ItemIdActions {
  /** @param file a sheet to look through; null for the drafts */
  scanItemIds(file: File | null): Promise<IdScan | null>;
  applyItemIds(accepted: AcceptedIds): Promise<boolean>;
  saveItemIds(what: 'report' | 'mend', scanId: string, accepted: AcceptedIds): Promise<ExportedFile | null>;
}

function itemIdActions(doing: ActionContext): ItemIdActions {
  const { client, files } = doing.connection;
  return {
    scanItemIds: async (file) => {
      if (file === null) return runAction(doing, (workspaceId) => client.ids.scan({ workspaceId }));
      const granted = await files.grant(file);
      if (!isRefused(granted)) {
        return runAction(doing, (workspaceId) => client.ids.scan({ workspaceId, grant: granted.grant }));
      }
      doing.notes.fail(fileRefusalText(file.name, granted.error, {}));
      return null;
    },
    applyItemIds: async (accepted) => {
      const applied = await doing.inOrder(() =>
        runAction(doing, (workspaceId) => client.ids.apply({ workspaceId, accepted })),
      );
      if (applied !== null) doing.notes.tell(enAfterSync.ids.applied(applied.rows));
      return applied !== null;
    },
    saveItemIds: (what, scanId, accepted) =>
      runAction(doing, (workspaceId) => client.ids[what]({ workspaceId, scanId, accepted })),
  };
}
