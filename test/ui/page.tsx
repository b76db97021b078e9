import '../../renderer/styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from '../../renderer/app/App.tsx';
import { createMemoryDesk } from './memory-connection.ts';

// A page for looking at: `npx vite --config test/ui/page.vite.ts`, then /page.html?keywords=100000&accounts=0
const asked = new URLSearchParams(window.location.search);
const root = document.getElementById('root');
if (root === null) throw new Error('page.html has no element with the id root.');
const desk = createMemoryDesk({
  keywords: Number(asked.get('keywords') ?? 400),
  accounts: Number(asked.get('accounts') ?? 1),
});
createRoot(root).render(<App connection={desk.connection} />);
