import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { FoundItem } from '../../actions/row-actions.ts';
import { useDesk } from '../../app/desk.ts';
import { editText } from '../../locale/cells.ts';
import { en } from '../../messages/en.ts';
import { WaitingForNetwork } from '../frame/WaitingForNetwork.tsx';

interface ItemSearchProps {
  /** Lines typed so far; an item that stands in them is shown as taken. */
  readonly lines: string;
  readonly onPick: (line: string) => void;
}

/** Looks items up on the service by words, so that nobody has to know their ids. */
export function ItemSearch({ lines, onPick }: ItemSearchProps) {
  const { actions } = useDesk();
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
      <WaitingForNetwork />
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
          {found.map((item) => {
            const bid = item.suggestedBidCents === null ? '' : editText('adItem', 'bid', item.suggestedBidCents);
            const taken = lines.includes(item.itemId);
            return (
              <li key={item.itemId} className="line">
                <span className="line-text">
                  {item.name} <span className="quiet numeric">{item.itemId}</span>
                  {bid !== '' && <span className="quiet"> {en.add.suggested(bid)}</span>}
                </span>
                <button
                  type="button"
                  className="chip"
                  disabled={taken}
                  aria-label={en.add.pick(item.name)}
                  onClick={() => onPick(`${item.itemId} ${bid}`.trim())}
                >
                  {taken ? en.add.picked : en.add.button}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
