"""Which column of a bank, a corpus or recorded outputs is what: by its usual name, or as the user says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from calibrate.errors import InputError

__all__ = ["BANK_ROLES", "CORPUS_ROLES", "OUTPUT_ROLES", "Columns", "find_columns", "refuse_unknown_roles"]

Roles = Mapping[str, tuple[str, ...]]

BANK_ROLES: Roles = {
    "id": ("id", "question_id", "id_pregunta"),
    "question": ("question", "query", "pregunta", "consulta"),
    "relevant": (
        *("relevant", "relevant_chunks", "relevant_ids", "relevant_chunk_ids"),
        *("relevantes", "fragmentos_relevantes", "ids_relevantes"),
    ),
    "reference": (
        *("reference", "reference_answer", "ground_truth", "expected_answer"),
        *("referencia", "respuesta_de_referencia", "respuesta_esperada"),
    ),
    "reviewed": ("reviewed", "revisada", "revisado"),
    "origin": ("origin", "origen"),
}
"""The columns of a bank, with their usual names; case does not matter."""

CORPUS_ROLES: Roles = {
    "chunk_id": ("id", "chunk_id", "id_fragmento"),
    "text": ("text", "content", "chunk", "texto", "contenido", "fragmento"),
    "document": ("document", "doc", "source", "documento", "fuente"),
}
"""The columns of a corpus."""

OUTPUT_ROLES: Roles = {
    "question_id": ("id", "question_id", "id_pregunta"),
    "variant": ("variant", "variante"),
    "ranked": ("ranked", "retrieved", "ranking", "retrieved_ids", "recuperados", "fragmentos_recuperados"),
    "context": ("context", "context_ids", "contexto", "fragmentos_del_contexto"),
    "answer": ("answer", "response", "respuesta"),
    "latency": (
        *("latency", "latency_s", "latency_seconds", "latency_ms"),
        *("latencia", "latencia_s", "latencia_segundos", "latencia_ms"),
    ),
    "input_tokens": ("input_tokens", "prompt_tokens", "tokens_de_entrada", "tokens_entrada"),
    "output_tokens": ("output_tokens", "completion_tokens", "tokens_de_salida", "tokens_salida"),
    "cost": ("cost", "cost_usd", "coste", "coste_usd", "costo", "costo_usd"),
}
"""The columns of recorded outputs; no role of one table is a role of another, so that one mapping serves all three."""

_ALL_ROLES: Roles = {**BANK_ROLES, **CORPUS_ROLES, **OUTPUT_ROLES}
_SPANISH = frozenset(
    "id_pregunta pregunta consulta relevantes fragmentos_relevantes ids_relevantes referencia respuesta_de_referencia "
    "respuesta_esperada revisada revisado origen".split()
)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one table that have a role.

    Attributes:
        source: the table's file, for messages.
        roles: the roles that such a table has, with their usual names.
        found: role to column.
        others: the columns without a role.
    """

    source: str
    roles: Roles
    found: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    def needed(self, role: str, what: str) -> str:
        """Return the column of a role.

        Raises:
            InputError: the table has none; says the usual names and what decides. ``what`` is what it holds, in words.
        """
        if role not in self.found:
            usual = ", ".join(self.roles[role])
            raise InputError(
                f"no column holds {what} (usual names: {usual}); name it with --column {role}=NAME", file=self.source
            )
        return self.found[role]

    @property
    def spanish(self) -> bool:
        """Whether a column has a role by a Spanish name."""
        return any(_fold(column) in _SPANISH for column in self.found.values())

    @property
    def said(self) -> tuple[str, ...]:
        """The columns that do not have the plain name of their role, in a sentence; nothing when all of them do."""
        renamed = [
            f"{role} <- {column}" for role, column in self.found.items() if column not in (role, self.roles[role][0])
        ]
        return (f"columns: {', '.join(renamed)}",) if renamed else ()


def find_columns(columns: tuple[str, ...], source: str, roles: Roles, given: Mapping[str, str]) -> Columns:
    """Find the columns of a table.

    Args:
        columns: the table's columns.
        source: its file, for messages.
        roles: the roles that it can have.
        given: role to column, as the user declared it; roles of other tables are passed over.

    Raises:
        InputError: a declared column is missing, or two columns could have one role; names both and what decides.
    """
    declared = {role: _named(column, role, columns, source) for role, column in given.items() if role in roles}
    found = {}
    for role, usual in roles.items():
        column = declared.get(role)
        if column is None:
            alike = [each for each in columns if _fold(each) in usual and each not in declared.values()]
            if len(alike) > 1:
                names = " and ".join(f"'{each}'" for each in alike)
                raise InputError(
                    f"columns {names} could both be the {role}; decide with --column {role}=NAME", file=source
                )
            column = alike[0] if alike else None
        if column is not None:
            found[role] = column
    return Columns(source, roles, found, tuple(each for each in columns if each not in found.values()))


def refuse_unknown_roles(given: Mapping[str, str]) -> None:
    """Refuse a declared role that no table has.

    Raises:
        InputError: lists the roles there are.
    """
    for role in given:
        if role not in _ALL_ROLES:
            raise InputError(f"no such role; known are {', '.join(_ALL_ROLES)}", field=role)


def _named(name: str, role: str, columns: tuple[str, ...], source: str) -> str:
    alike = [name] if name in columns else [each for each in columns if _fold(each) == _fold(name)]
    if len(alike) != 1:
        listed = ", ".join(columns[:30]) + (", ..." if len(columns) > 30 else "")
        raise InputError(f"no column '{name}'; the table has {listed}", file=source, field=role)
    return alike[0]


def _fold(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", unicodedata.normalize("NFKC", name).strip().casefold())
