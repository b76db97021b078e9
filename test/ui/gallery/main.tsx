import '../../../renderer/styles.ts';
import { createRoot } from 'react-dom/client';
import { Gallery } from './Gallery.tsx';

// `npx vite --config test/ui/page.vite.ts`, then /gallery.html
const root = document.getElementById('root');
if (root === null) throw new Error('gallery.html has no element with the id root.');
createRoot(root).render(<Gallery />);
