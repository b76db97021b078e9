export {
  hasPostgres,
  type LocalPostgres as TestPostgres,
  startPostgres,
} from '../../main/hosts/cli/demo/postgres.ts';
