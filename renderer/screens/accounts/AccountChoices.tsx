import { Menu } from '@mantine/core';
import { useState } from 'react';
import { useAppContext } from '../../app/desk.ts';
import { accounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';

/** From so many accounts on they are looked for by name instead of by eye. */
const FEW = 8;

/** The accounts of this computer, the open one ticked; many of them scroll and are found by typing. */
export function AccountChoices({ openId }: { readonly openId: string }) {
  const { actions } = useAppContext();
  const [words, setWords] = useState('');
  const list = useQuery(accounts).data ?? [];
  const wanted = words.trim().toLowerCase();
  const shown = list.filter(({ name, advertiserId }) => `${name} ${advertiserId}`.toLowerCase().includes(wanted));
  return (
    <>
      {list.length > FEW && (
        <input
          className="input account-search"
          type="search"
          aria-label={en.account.find}
          placeholder={en.account.find}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <div className="account-choices">
        {shown.map((other) => (
          <Menu.Item
            key={other.workspaceId}
            aria-current={other.workspaceId === openId ? 'true' : undefined}
            onClick={() => actions.openAccount(other.workspaceId)}
            leftSection={<AccountDot color={other.color} />}
            rightSection={other.practice && <span className="badge">{en.account.practice}</span>}
          >
            {other.name} <span className="numeric">{other.advertiserId}</span>
          </Menu.Item>
        ))}
        {shown.length === 0 && <p className="quiet account-none">{en.account.noneFound}</p>}
      </div>
    </>
  );
}

function AccountDot({ color }: { readonly color: string }) {
  const style: Record<string, string> = { '--account': color };
  return <span className="account-dot" style={style} />;
}
