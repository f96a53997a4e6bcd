from program_fixtures import no_waiting, own_folder, pages, program, server, world

__all__ = ["no_waiting", "own_folder", "pages", "program", "server", "world"]
