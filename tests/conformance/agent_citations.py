"""Which tests prove what the agent's renderer and gateway owe: requirement id to test names, by file.

Files are found among the agent's tests by their own name.
"""

CITATIONS: dict[str, tuple[str, ...]] = {
    "P49": ("test_model_chat::test_text_in_a_result_stays_the_result_of_its_call",),
    "S1": (
        "conformance/test_agent_renderer::test_turn_events_become_what_the_case_says",
        "test_renderer::test_every_turn_event_has_a_handler",
    ),
    "S2": (
        "test_sse::test_a_frame_is_one_data_line_of_compact_camel_case_json",
        "test_gateway::test_a_run_is_answered_at_the_mount_with_and_without_a_slash",
    ),
    "S3": ("properties/test_agent_renderer::test_any_reports_render_to_a_run_in_order",),
    "S4": ("test_renderer::test_whatever_is_open_is_closed_before_any_end",),
    "S5": ("test_renderer::test_the_run_is_named_by_the_client_or_else_by_the_turn",),
    "S6": (
        "test_renderer::test_bare_text_deltas_get_a_start_and_an_end",
        "test_renderer::test_empty_deltas_are_dropped",
    ),
    "S7": ("test_renderer::test_thoughts_open_span_and_message_once_and_end_before_the_text",),
    "S8": ("test_renderer::test_text_after_a_completed_message_opens_a_new_one",),
    "S9": (
        "test_renderer::test_a_streamed_call_ends_when_its_tool_starts_and_is_answered_when_it_completes",
    ),
    "S10": (
        "test_renderer::test_a_streamed_call_ends_when_its_tool_starts_and_is_answered_when_it_completes",
    ),
    "S11": ("test_renderer::test_a_completed_call_is_not_ended_again_when_its_tool_starts",),
    "S12": (
        "test_renderer::test_a_call_nobody_streamed_is_told_whole_and_a_block_answers_it",
        "test_renderer::test_an_answer_ends_a_call_that_is_still_open",
    ),
    "S13": ("test_renderer::test_an_error_carries_its_message_and_code",),
    "S14": ("test_renderer::test_bare_text_deltas_get_a_start_and_an_end",),
    "S15": ("test_renderer::test_a_call_nobody_streamed_is_told_whole_and_a_block_answers_it",),
    "S16": (
        "test_renderer::test_a_cancelled_turn_is_an_error_for_old_clients_and_an_outcome_for_new_ones",
        "test_worker::test_a_stopped_turn_is_an_error_to_a_client_that_declares_no_version",
    ),
    "S17": (
        "test_renderer::test_a_compaction_tells_the_conversation_as_it_is_now",
        "test_shorten::test_everything_before_the_line_becomes_one_summary",
    ),
    "S18": ("test_projection::test_each_event_changes_its_own_field",),
    "S19": ("test_agent_state::test_the_snapshot_and_all_deltas_give_what_the_server_holds",),
    "S20": ("test_renderer::test_a_permission_is_said_as_state_and_then_as_an_event",),
    "S21": (
        "test_subagents::test_as_custom_everything_of_a_subagent_is_wrapped",
        "test_subagents::test_every_report_of_a_subagent_has_a_name_as_custom",
    ),
    "S22": ("test_renderer::test_the_state_is_shown_whole_and_then_by_differences",),
    "S23": ("test_projection::test_a_snapshot_is_the_base_from_there_on",),
    "S24": ("test_projection::test_without_a_base_the_snapshot_is_sent_and_then_deltas",),
    "S25": (
        "conformance/test_agent_renderer::test_turn_events_become_what_the_case_says",
        "test_board::test_a_task_joins_what_the_person_left_by_a_delta_that_names_only_it",
    ),
    "S26": (
        "conformance/test_agent_renderer::test_a_batch_is_coalesced_as_the_case_says",
        "test_agent_state::test_coalescing_never_changes_what_folds",
    ),
    "S27": (
        "test_outbox::test_what_arrives_within_the_window_goes_out_together",
        "test_gateway::test_fragments_of_a_moment_leave_together",
    ),
    "S28": (
        "test_worker::test_a_slow_client_slows_the_agent_down_and_loses_nothing",
        "test_outbox::test_what_can_be_squeezed_never_holds_the_writer",
    ),
    "S29": ("conformance/test_agent_renderer::test_turn_events_become_what_the_case_says",),
    "S30": ("test_renderer::test_the_run_is_named_by_the_client_or_else_by_the_turn",),
    "S31": (
        "test_projection::test_the_document_has_six_fields_and_the_application_only_once_it_has_a_state",
    ),
    "S32": (
        "test_projection::test_an_old_conversation_goes_on_with_what_it_was_left_with",
        "test_worker::test_what_a_turn_leaves_is_what_the_next_begins_with",
    ),
    "S33": ("test_worker::test_fifty_turns_side_by_side_do_not_mix",),
    "S34": ("test_projection::test_a_permission_is_pending_until_it_is_the_one_resolved",),
    "S35": ("test_renderer::test_a_stream_that_starts_again_says_the_rest_under_a_new_id",),
    "S36": (
        "test_worker::test_every_run_shows_the_state_first_and_its_last_word_before_it_ends",
        "test_renderer::test_a_state_outside_a_run_cannot_be_sent",
    ),
    "S37": ("test_renderer::test_a_call_nobody_streamed_is_told_whole_and_a_block_answers_it",),
    "R62": ("test_projection::test_a_delta_longer_than_the_document_is_sent_as_the_document",),
    "R63": ("test_approvals::test_a_yes_runs_the_original_call_without_making_it_again",),
    "R64": (
        "test_worker::test_a_bug_ends_the_run_and_is_logged_not_shown",
        "test_worker::test_a_turn_that_is_stopped_anywhere_ends_in_order",
    ),
    "R65": ("test_awkward::test_every_behaviour_answers_and_ends",),
}
