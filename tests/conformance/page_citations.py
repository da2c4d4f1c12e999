"""Which tests prove what the page and the storage owe: requirement id to test names, by file."""

PAGE_CITATIONS: dict[str, tuple[str, ...]] = {
    "K46": (
        "services/test_answers::test_an_approval_says_yes",
        "services/test_answers::test_a_question_offers_the_answers_its_schema_or_reason_takes",
        "browser/test_ux_approvals::test_ux_43_each_way_to_answer_is_there_and_none_has_the_focus",
        "browser/test_ux_approvals::test_ux_51_a_message_while_a_decision_is_open_asks_first",
        "browser/test_field_cases::test_o11_a_line_over_an_open_approval_asks_first_and_then_cancels_it",
    ),
    "K47": (
        "test_agent_changes::test_what_runs_is_ended_before_the_connections_to_agents_are_closed",
        "test_agent_changes::test_an_agent_at_another_address_finishes_what_runs_and_is_asked_there_from_then_on",
        "test_agent_changes::test_an_agent_that_is_switched_off_finishes_what_runs_and_begins_nothing",
    ),
    "R61": (
        "browser/test_ux_transcript::test_everything_is_shown_in_the_order_it_arrived_with_calls_numbered",
    ),
    "P52": (
        "test_confidentiality::test_a_handle_of_a_file_never_reaches_a_page_to_be_fetched_or_linked",
        "browser/test_ux_tools::test_ux_40_a_picture_from_elsewhere_is_not_fetched",
    ),
    "P81": (
        "browser/test_replayed::test_script_in_every_text_of_an_agent_stays_text_live_and_after_a_reload",
    ),
    "P111": (
        "browser/test_hostile::test_a_hostile_answer_does_nothing",
        "browser/test_hostile::test_a_hostile_line_of_a_person_does_nothing",
        "browser/test_replayed::test_script_in_every_text_of_an_agent_stays_text_live_and_after_a_reload",
    ),
}

STORAGE_CITATIONS: dict[str, tuple[str, ...]] = {
    "P70": (
        "test_confidentiality::test_an_encrypted_value_goes_back_to_the_agent_that_made_it_and_to_no_other",
    ),
    "P71": (
        "test_confidentiality::test_thoughts_artefacts_and_state_are_as_closed_as_the_conversation",
        "test_confidentiality::test_who_decides_sees_what_was_said_and_not_what_was_thought",
    ),
    "P112": (
        "test_confidentiality::test_thoughts_artefacts_and_state_are_as_closed_as_the_conversation",
        "test_confidentiality::test_what_an_agent_encrypted_for_itself_is_shown_to_nobody",
        "test_confidentiality::test_what_is_erased_leaves_no_thought_and_no_artefact_in_any_table",
    ),
    "P113": ("test_service_cases::test_o08_an_open_approval_is_back_after_a_restart_and_sent_once",),
}
