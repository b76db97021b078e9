import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

/** A crowded machine takes its time. What is there at once is not waited for. */
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);
