import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { FoundItem } from '../../actions/row-actions.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { editText } from '../../locale/cells.ts';
import { en } from '../../messages/en.ts';
import { enPictures } from '../../messages/en-pictures.ts';
import { ItemPage } from '../frame/ItemPage.tsx';
import { ServicePicture } from '../frame/ServicePicture.tsx';
import { OfflineNotice } from '../frame/WaitingForNetwork.tsx';

export interface PickedItem {
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
export function ItemSearch({ lines, onPick }: ItemSearchProps) {
  const { actions } = useAppContext();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<readonly FoundItem[] | null>(null);

  const search = async (): Promise<void> => {
    if (text.trim() === '') return;
    setBusy(true);
    setFound(await actions.searchItems(text.trim()));
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // The field stands inside the form that adds the rows.
    event.preventDefault();
    void search();
  };
  return (
    <div className="item-search">
      <OfflineNotice />
      <div className="answer">
        <TextInput
          size="xs"
          aria-label={en.add.search}
          placeholder={en.add.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button loading={busy} onClick={() => void search()}>
          {en.add.searchButton}
        </Button>
      </div>
      {found?.length === 0 && <p className="quiet">{en.add.searchNone}</p>}
      {found !== null && found.length > 0 && (
        <ul className="lines found-items">
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
        <details className="item-variants">
          <summary>{enPictures.variants(item.variants.length)}</summary>
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
    <div className="line item-line">
      <ServicePicture workspaceId={workspaceId} of={{ is: 'item', itemId }} alt="" size={{ width: 36, height: 36 }} />
      <span className="line-text">
        {name} <span className="quiet numeric">{itemId}</span>
        {bid !== '' && <span className="quiet"> {en.add.suggested(bid)}</span>} <ItemPage url={pageUrl} name={name} />
      </span>
      <button
        type="button"
        className="chip"
        disabled={taken}
        aria-label={en.add.pick(name)}
        onClick={() => onPick({ line: `${itemId} ${bid}`.trim(), itemId, name })}
      >
        {taken ? en.add.picked : en.add.button}
      </button>
    </div>
  );
}
